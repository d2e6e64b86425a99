/**
 * The body of a POST or PUT: at most 64 KiB unless its endpoint takes more, parsed once. All readers must agree on its
 * value (json/body-text.ts). A form's parameters have the same names as the members of the JSON.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { clock } from "../../platform/clock.ts";
import { quoteAlways } from "../../platform/quotation.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { parseFormText, parseJsonText } from "../json/body-text.ts";
import { arriveInTime, BROKEN_OFF, readAtMost, TOO_SLOW } from "../request-body.ts";
import { FORM_TYPE, mediaType } from "./request-headers.ts";

const MAX_BODY_KIB = 64;

const limitBody = createMiddleware<AppEnv>(async (c, next) => {
  const maxBytes = (c.get("endpoint").maxBodyKib ?? MAX_BODY_KIB) * 1024;
  const { body, headers } = c.req.raw;
  const length = headers.has("Transfer-Encoding") ? null : headers.get("Content-Length");
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  // what has no length is counted while it is read
  if (body && length === null)
    c.req.raw = new Request(c.req.raw, { body: await readAtMost(body, maxBytes, { tooLarge, incomplete }) });
  await next();
});

const tooLarge = (maxBytes: number) => {
  const kib = maxBytes / 1024;
  return new ApiError({
    code: "body_too_large",
    title: `The body is larger than ${kib} KiB. Send at most ${kib} KiB`,
  });
};
const incomplete = (why: string) => new ApiError({ code: "body_malformed", title: `The body is incomplete: ${why}` });
const tooSlow = () => incomplete(TOO_SLOW);

function refuseUnread(error: unknown): never {
  throw error instanceof ApiError ? error : incomplete(BROKEN_OFF);
}

/**
 * For a DELETE of an account's. A body that names a part of it, as `{"scopes":["accounts"]}`, was meant to spare the rest; one with
 * `by`, which stands in the query, to say that it was the customer. That of a library which sends one always is empty, or has no members.
 */
export const refuseBody = createMiddleware<AppEnv>(async (c, next) => {
  const text = await arriveInTime(c.req.text(), tooSlow).catch(refuseUnread);
  if (!/^\s*(\{\s*\})?\s*$/.test(text)) {
    const title = "DELETE reads no body, and ends all at this path: send none. Nothing was changed";
    throw new ApiError({ code: "body_malformed", title });
  }
  await next();
});

const SHOWN_CHARACTERS = 20;

/** Asked of a body that cannot be read: some clients name a charset here, and send plain JSON. */
function explainCoding(c: Context<AppEnv>): string | null {
  const coding = c.req.header("Content-Encoding") ?? "";
  if (/^(identity)?$/i.test(coding)) return null;
  return `The body has the Content-Encoding ${quoteAlways(coding, SHOWN_CHARACTERS)}, which is not taken: send it as it is, without this header`;
}

const jsonBody = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === "POST" || c.req.method === "PUT") {
    const bytes = await arriveInTime(c.req.arrayBuffer(), tooSlow).catch(refuseUnread);
    const parse = mediaType(c) === FORM_TYPE ? parseFormText : parseJsonText;
    const body = parse(new Uint8Array(bytes));
    if (!body.ok) throw new ApiError({ code: "body_malformed", title: explainCoding(c) ?? body.message });
    const { value } = body;
    // validate.ts calls this, and so uses the parsed value instead of parsing again
    c.req.json = async <Value>() => value as Value;
    // a body may be sent slowly: a code that expires meanwhile has expired
    c.set("now", clock.now());
  }
  await next();
});

/** Far more than anybody sends by mistake. */
const MAX_FORGOTTEN_BYTES = 16 * 1024 * 1024;
/** A sender that pauses for long gets its answer now. */
const MAX_FORGETTING_MS = 5_000;

/**
 * Reads what is left of a body when the answer is ready. A server that answers without it closes the connection, and the client,
 * which still sends, may lose the answer (RFC 9112 section 9.6). workerd itself reads 64 KiB more: for a larger body the proxy of
 * `wrangler dev` then answered 500. Never rejects.
 */
export async function forgetRest(body: ReadableStream<Uint8Array>): Promise<void> {
  let bytes = 0;
  const nowhere = new WritableStream<Uint8Array>({
    write: (chunk) => {
      bytes += chunk.length;
      if (bytes > MAX_FORGOTTEN_BYTES) throw new Error("enough");
    },
  });
  // broken off by the client, by the time or by the bytes: there is nothing more to do
  await body.pipeTo(nowhere, { signal: AbortSignal.timeout(MAX_FORGETTING_MS) }).catch(() => {});
}

/** The steps of each request that is no GET. */
export const body = [limitBody, jsonBody];
