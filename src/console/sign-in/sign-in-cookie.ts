/**
 * A sign-in under way, in a cookie of the browser that began it. It is encrypted: what the provider must not see twice is in it.
 * SameSite=Lax, since the provider sends the browser back. A copy of it is worth nothing after the first use (once.ts).
 */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { openText, readTokenKeys, sealText } from "../../grants/token-keys.ts";
import type { AppEnv } from "../../http/context.ts";
import type { Instant } from "../../platform/instant.ts";
import type { Proof } from "./provider.ts";

export interface BegunSignIn extends Proof {
  /** `fi_reference_id`, as the address had it. */
  readonly reference: string;
  /** Of the provider that is asked. */
  readonly version: string;
  /** The page to show then. */
  readonly next: string;
  readonly endsAt: Instant;
}

export const SIGN_IN_LIFETIME_MS = 10 * 60_000;

const NAME = "__Host-psp-gate-sign-in";
const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax";
const FORM = /^([A-Za-z0-9]{1,32})\.([A-Za-z0-9_-]{1,2048})$/;
const labelOf = (kid: string): string => `sign-in ${kid}`;

export function keepSignIn(c: Context<AppEnv>, begun: BegunSignIn): void {
  const keys = readTokenKeys(c.env);
  const { kid, sealed } = sealText(keys, "console", JSON.stringify(begun), labelOf(keys.newest.kid));
  c.header("Set-Cookie", `${NAME}=${kid}.${sealed}; ${ATTRIBUTES}; Max-Age=${SIGN_IN_LIFETIME_MS / 1000}`, {
    append: true,
  });
}

/** What the request's cookie says, which ends; null without one of this service, or when it has ended at `now`. */
export function takeSignIn(c: Context<AppEnv>, now: Instant): BegunSignIn | null {
  const [, kid = "", sealed = ""] = FORM.exec(getCookie(c, NAME) ?? "") ?? [];
  c.header("Set-Cookie", `${NAME}=; ${ATTRIBUTES}; Max-Age=0`, { append: true });
  const text = openText(readTokenKeys(c.env), "console", { kid, sealed }, labelOf(kid));
  const begun = text === null ? null : (JSON.parse(text) as BegunSignIn);
  return begun !== null && now < begun.endsAt ? begun : null;
}
