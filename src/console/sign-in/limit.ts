/** How often somebody may try to sign in: 30 times a minute from one address, for each client id or institution. */
import type { Context } from "hono";
import type { AppEnv } from "../../http/context.ts";
import { sourceKey } from "../../http/rate-limit/source-key.ts";
import { hashSecret } from "../../platform/secrets.ts";
import { callStore } from "../../platform/stores.ts";

export const SIGN_IN_LIMIT_SECONDS = 60;

/** `who`: a client id, or an institution's reference. Does not throw. */
export async function passesSignInLimit(c: Context<AppEnv>, who: string): Promise<boolean> {
  const key = hashSecret(`${sourceKey(c.req.header("CF-Connecting-IP") ?? "unknown")} ${who}`);
  try {
    return (await callStore("limiter", () => c.env.SIGN_IN_LIMITER.limit({ key }))).success;
  } catch (error) {
    console.error(JSON.stringify({ event: "sign_in_limiter_unreachable", error: String(error) }));
    return true;
  }
}
