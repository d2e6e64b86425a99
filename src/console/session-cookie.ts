/**
 * The cookie of a session: its id, encrypted. A forged or foreign cookie is refused without a read of D1.
 *
 * The name's prefix (RFC 6265bis section 4.1.3.2) makes browsers take it only with Secure, Path=/ and no Domain, so
 * that no neighbouring host can set it. Browsers let http://localhost and http://127.0.0.1 set Secure cookies; Safari
 * does not.
 */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { readTokenKeys, type TokenKeys } from "../grants/token-keys.ts";
import type { AppEnv } from "../http/context.ts";
import { fromBase64, toBase64Url } from "../platform/encoding.ts";
import { seal, unseal } from "../platform/secrets.ts";
import { beginSession, endSession, type SessionOwner } from "./sessions.ts";

const NAME = "__Host-psp-gate-console";
const FORM = /^([A-Za-z0-9]{1,32})\.([A-Za-z0-9_-]{1,256})$/;
/** No Max-Age: it is gone when the browser closes. Strict: no request that another site caused carries it. */
const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** Exported for tests of other cookies than those of this service. */
export function sealSessionId(keys: TokenKeys, id: string): string {
  const { kid, console: key } = keys.newest;
  return `${kid}.${toBase64Url(seal(key, id, kid))}`;
}

function openSessionId(keys: TokenKeys, text: string): string | null {
  const [, kid = "", body = ""] = FORM.exec(text) ?? [];
  const key = keys.byKid.get(kid);
  const sealed = fromBase64(body);
  return key && sealed ? unseal(key.console, sealed, kid) : null;
}

/** The id of the session that the request's cookie names; null without one of this service. */
export function readSessionCookie(c: Context<AppEnv>): string | null {
  const text = getCookie(c, NAME);
  return text === undefined ? null : openSessionId(readTokenKeys(c.env), text);
}

/** Begins a session at `now` (milliseconds since 1970) in the place of the one that the cookie names, which ends. Throws StoreError. */
export async function replaceSession(c: Context<AppEnv>, owner: SessionOwner, now: number): Promise<void> {
  const old = readSessionCookie(c);
  if (old !== null) await endSession(c.env.DB, old);
  const id = await beginSession(c.env.DB, owner, now);
  c.header("Set-Cookie", `${NAME}=${sealSessionId(readTokenKeys(c.env), id)}; ${ATTRIBUTES}`);
}

export const dropSessionCookie = (c: Context<AppEnv>): void =>
  c.header("Set-Cookie", `${NAME}=; ${ATTRIBUTES}; Max-Age=0`);
