/** What answers carry besides: an id by which they are found and proven later, no-store, a signature. */
import { createMiddleware } from "hono/factory";
import { readSigningKeys } from "../../evidence/signatures/signing-keys.ts";
import { makeRecordId } from "../../grants/record-order.ts";
import { clock } from "../../platform/clock.ts";
import type { AppEnv } from "../context.ts";

export const evidenceId = createMiddleware<AppEnv>(async (c, next) => {
  const id = makeRecordId(c.get("now"));
  c.set("evidenceId", id);
  // before the handlers, as the request's id (request-log.ts)
  c.header("x-evidence-id", id);
  await next();
});

const NO_STORE = "no-store";

/** Answers with codes, tokens or consents are not cached (RFC 6749 section 5.1). */
export const noStore = createMiddleware(async (c, next) => {
  // before the handlers, so that the answer is built once: with a header set later it is built again
  c.header("Cache-Control", NO_STORE);
  await next();
  if (c.res.headers.get("Cache-Control") !== NO_STORE) c.header("Cache-Control", NO_STORE);
});

const NO_TRANSFORM = "no-transform";
const OF_THE_API = /^\/(?:v1\/|status$|health$)/;

/** For a caller who asks for it by Accept-Signature (RFC 9421 section 5), or every answer of the API. */
export const signAnswer = createMiddleware<AppEnv>(async (c, next) => {
  // as it was sent: for the handlers the older form renames headers, which its caller never sent so
  const request = c.req.raw;
  await next();
  const isAsked = c.req.header("Accept-Signature") !== undefined;
  if (!isAsked && !(c.env.SIGN_ANSWERS === "always" && OF_THE_API.test(c.req.path))) return;
  // the answer to HEAD has the headers of a content that it does not have
  if (c.req.method === "HEAD") return;
  const { signer } = readSigningKeys(c.env);
  if (!signer) return;
  const { signAnswer } = await import("../../evidence/signatures/answer-signature.ts");
  const { status, headers } = c.res;
  // RFC 9110 section 7.7: what is compressed on the way has another digest (RFC 9530 section 2). Before it is signed: it may be covered
  const directives = headers.get("Cache-Control");
  headers.set("Cache-Control", directives === null ? NO_TRANSFORM : `${directives}, ${NO_TRANSFORM}`);
  const content = new Uint8Array(await c.res.arrayBuffer());
  // the answer to a body that broke off is signed, too
  const body = await Promise.resolve(c.req.bodyCache.arrayBuffer).catch(() => undefined);
  const sent = body && new Uint8Array(body);
  const signed = signAnswer({ request, sent, status, headers, content }, signer, clock.now());
  for (const [name, value] of Object.entries(signed)) headers.set(name, value);
  // undefined first: else Hono adds the headers of the previous answer to those of the new one
  c.res = undefined;
  c.res = new Response(content.length === 0 ? null : content, { status, headers });
});
