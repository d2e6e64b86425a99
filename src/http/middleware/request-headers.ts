/** The headers that every endpoint has: `version`, on POST and PUT `Content-Type`, and `transaction_reference`. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { quoteAlways } from "../../platform/quotation.ts";
import type { Version } from "../../platform/version.ts";
import type { AppEnv, TransactionReference } from "../context.ts";
import { ApiError } from "../errors/errors.ts";

const VERSIONS: readonly Version[] = ["latest", "1"];

/** Enough to recognise the value, and too few to reveal a secret that was sent in the wrong header. */
const SHOWN_CHARACTERS = { version: 20, contentType: 40 } as const;

export const version = createMiddleware<AppEnv>(async (c, next) => {
  const given = c.req.header("version");
  if (!given)
    throw new ApiError({ code: "version_missing", title: "Header version is missing: it must be latest or 1" });
  const version = VERSIONS.find((allowed) => allowed === given);
  if (!version) {
    const shown = quoteAlways(given, SHOWN_CHARACTERS.version);
    throw new ApiError({ code: "version_invalid", title: `Header version must be latest or 1, not ${shown}` });
  }
  c.set("version", version);
  await next();
});

const JSON_TYPE = "application/json";
export const FORM_TYPE = "application/x-www-form-urlencoded";

/** Of the body, without parameters such as the charset. */
export function mediaType(c: Context<AppEnv>): string {
  const given = c.req.header("Content-Type") ?? "";
  return given === JSON_TYPE ? given : given.replace(/;.*/, "").trim().toLowerCase();
}

export const contentType = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === "POST" || c.req.method === "PUT") {
    const given = c.req.header("Content-Type");
    const allowed = c.get("endpoint").form ? [JSON_TYPE, FORM_TYPE] : [JSON_TYPE];
    const must = allowed.join(" or ");
    if (!given)
      throw new ApiError({ code: "content_type_missing", title: `Header Content-Type is missing: it must be ${must}` });
    if (!allowed.includes(mediaType(c))) {
      const shown = quoteAlways(given, SHOWN_CHARACTERS.contentType);
      const title = `Header Content-Type must be ${must}, not ${shown}`;
      throw new ApiError({ code: "content_type_invalid", title });
    }
  }
  await next();
});

/** The names before version 1.7 removed the prefix `x-` (interface, "Versioning"). Their values are not read. */
const OLD_NAMES = { eidas: "x-eidas", ccg_token: "x-ccg-token", fi_reference_id: null } as const;

/** Whoever sends a certificate by its old name means it to be read. */
export const hasOldName = (c: Context<AppEnv>, name: keyof typeof OLD_NAMES): boolean =>
  OLD_NAMES[name] !== null && c.req.header(OLD_NAMES[name]) !== undefined;

/** The title for a missing or empty header. It says so if the header was sent under its old name, or with dashes. */
export function explainMissingHeader(c: Context<AppEnv>, name: keyof typeof OLD_NAMES): string {
  const [old, dashed] = [OLD_NAMES[name], name.replaceAll("_", "-")];
  let hint = "";
  if (old !== null && c.req.header(old) !== undefined) hint = `: ${old} was renamed to ${name} in version 1.7`;
  else if (dashed !== name && c.req.header(dashed) !== undefined)
    hint = `: its name has underscores, and ${dashed} is another one`;
  // HAProxy sends it empty when the client shows no certificate
  return `Header ${name} is ${c.req.header(name) === "" ? "empty" : "missing"}${hint}`;
}

const MAX_CHARACTERS = 128;

/** Null without the header. Neither names the value: it may be a secret that was sent in the wrong header. */
export function parseTransactionReference(given: string | undefined): TransactionReference | null {
  if (given === undefined) return null;
  if (given === "") return { ok: false, fault: "is empty" };
  if (given.length > MAX_CHARACTERS) return { ok: false, fault: `is ${given.length} characters long` };
  if (!/^[\x20-\x7e]+$/.test(given)) return { ok: false, fault: "has a character that is not printable ASCII" };
  return { ok: true, text: given };
}

/** Refuses a value that cannot be logged and given back as it is. */
export const transactionReference = createMiddleware<AppEnv>(async (c, next) => {
  const reference = c.get("reference");
  if (reference && !reference.ok) {
    const title = `Header transaction_reference ${reference.fault}: send 1 to ${MAX_CHARACTERS} printable ASCII characters`;
    throw new ApiError({ code: "transaction_reference_invalid", title });
  }
  await next();
});
