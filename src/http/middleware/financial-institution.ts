/** Authenticates the FI by Basic credentials (RFC 7617) and the header `fi_reference_id`, else 401. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { authenticate, type FinancialInstitution } from "../../institutions/financial-institutions.ts";
import { memoryOf } from "../../platform/memory.ts";
import { WRITES_REFUSED_TEXT } from "../../platform/schema-version.ts";
import { hashSecret } from "../../platform/secrets.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { BASIC_EXAMPLE, MAX_AUTHORIZATION_CHARACTERS, parseBasic } from "./basic-credentials.ts";
import { ReadAheadGate } from "./read-ahead-gate.ts";
import { explainMissingHeader } from "./request-headers.ts";

/**
 * How long an isolate caches verified credentials. A disabled or removed institution is rejected after this time at the
 * latest; D1 gives it no token in the meantime (the trigger no_token_for_disabled_institutions).
 */
const CREDENTIALS_MEMORY_SECONDS = 60;

/** Whom the credentials belong to, and for which institution they speak. */
interface VerifiedCaller {
  readonly fi: FinancialInstitution;
  readonly clientId: string;
  /** Whether the database is of a newer release beside which this one must not write. */
  readonly writesRefused: boolean;
}

/** Keyed by a hash, so that memory contains no secrets. */
const verifiedCredentials = memoryOf<VerifiedCaller>("credentials");

const readAheadGate = new ReadAheadGate();

export const financialInstitution = createMiddleware<AppEnv>(async (c, next) => {
  const shown = readHeaders(c);
  const known = shown.key === null ? undefined : verifiedCredentials.get(shown.key, c.get("now"));
  const { fi, clientId, writesRefused } = known ?? (await (isOperator(c, shown) ? admitOperator : verify)(c, shown));
  c.set("fi", fi);
  c.set("clientId", clientId);
  if (writesRefused && !READS.has(c.req.method))
    throw new ApiError({ code: "temporarily_unavailable", title: WRITES_REFUSED_TEXT });
  await next();
});

/** For who meets an institution that is not active: asks anew, in the place of what is remembered. Throws {@link ApiError} 401. */
export async function verifyAgain(c: Context<AppEnv>): Promise<void> {
  const shown = readHeaders(c);
  if (shown.key !== null) verifiedCredentials.delete(shown.key);
  await verify(c, shown);
}

const READS = new Set(["GET", "HEAD"]);

/** What the caller shows; empty texts for headers that are missing. */
interface ShownHeaders {
  readonly authorization: string;
  readonly fiReferenceId: string;
  /** Of {@link verifiedCredentials}; null for what cannot have been verified: then it is looked at for what is wrong with it. */
  readonly key: string | null;
}

function readHeaders({ req }: Context<AppEnv>): ShownHeaders {
  const [authorization, fiReferenceId] = [req.header("Authorization") ?? "", req.header("fi_reference_id") ?? ""];
  const isWhole = authorization !== "" && fiReferenceId !== "" && authorization.length <= MAX_AUTHORIZATION_CHARACTERS;
  return { authorization, fiReferenceId, key: isWhole ? hashSecret(`${authorization}\n${fiReferenceId}`) : null };
}

/** 32 bytes in base64url (operator-pass.ts). What has another form is taken as at every other endpoint. */
const PASS = /^bearer +([\w-]{43})$/i;

/** The operator's command line reads ledgers, and nothing else, by a pass. */
const isOperator = ({ req }: Context<AppEnv>, { authorization }: ShownHeaders): boolean =>
  req.method === "GET" && PASS.test(authorization) && req.path.startsWith("/v1/audit/");

/** Never remembered: a pass ends when it is deleted. Throws {@link ApiError} 401. */
async function admitOperator(
  c: Context<AppEnv>,
  { authorization, fiReferenceId }: ShownHeaders,
): Promise<VerifiedCaller> {
  if (!fiReferenceId) throw new ApiError({ code: "fi_reference_id_missing" });
  const { findPass } = await import("../../institutions/operator-pass.ts");
  const [, pass = ""] = PASS.exec(authorization) ?? [];
  const fi = await findPass(c.env.DB, pass, fiReferenceId, c.get("now"));
  if (fi) return { fi, clientId: "(operator)", writesRefused: false };
  const title = "The operator's pass has ended, or is not for this fi_reference_id";
  throw new ApiError({ code: "credentials_invalid", title }, CHALLENGE);
}

/** Throws {@link ApiError} 401. */
async function verify(
  c: Context<AppEnv>,
  { authorization, fiReferenceId, key }: ShownHeaders,
): Promise<VerifiedCaller> {
  if (!/^basic /i.test(authorization)) {
    const what = authorization === "" ? "is missing" : "is not of the scheme Basic";
    const title = `Header Authorization ${what}: send Basic and the base64 of client_id:secret`;
    throw new ApiError({ code: "credentials_missing", title }, CHALLENGE);
  }
  const credentials = parseBasic(authorization);
  if (!credentials.ok) {
    const title = `The value after Basic ${credentials.fault}: send the base64 of client_id:secret, as in ${BASIC_EXAMPLE}`;
    throw new ApiError({ code: "credentials_invalid", title }, CHALLENGE);
  }
  if (!fiReferenceId || key === null)
    throw new ApiError({ code: "fi_reference_id_missing", title: explainMissingHeader(c, "fi_reference_id") });

  const { clientId, secret } = credentials;
  const now = c.get("now");
  const result = await readAheadGate.lookUp(
    clientId,
    now,
    () => c.get("readAhead")?.(),
    () => authenticate(c.env.DB, clientId, secret, fiReferenceId, now),
  );
  if (!result.ok && result.reason === "credentials") throw new ApiError({ code: "credentials_invalid" }, CHALLENGE);
  if (!result.ok) {
    // the secret was right
    c.set("clientId", clientId);
    throw new ApiError({ code: "fi_reference_id_invalid" });
  }
  const caller = { fi: result.fi, clientId, writesRefused: result.writesRefused };
  // the old secret of a rotation is not kept beyond its end
  const expiresAt = Math.min(now + CREDENTIALS_MEMORY_SECONDS * 1000, result.until ?? Number.POSITIVE_INFINITY);
  verifiedCredentials.set(key, caller, expiresAt, now);
  return caller;
}

// RFC 9110 section 15.5.2: a 401 carries a challenge
const CHALLENGE = { "WWW-Authenticate": 'Basic realm="financial institution", charset="UTF-8"' };
