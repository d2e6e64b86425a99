/**
 * Proves that a form was sent by a page of this console, for the reader who has it open. Three independent checks: what
 * the browser says of the sender (Fetch Metadata, Origin), the cookie's SameSite=Strict, and a token in the form.
 */
import type { Context } from "hono";
import { readTokenKeys, type TokenKeys } from "../grants/token-keys.ts";
import type { AppEnv } from "../http/context.ts";
import { baseUrl } from "../http/errors/errors.ts";
import { makeMacText, sameSecret } from "../platform/secrets.ts";
import { PageProblem } from "./page.ts";

/** Name of the form's field. */
export const FORM_TOKEN = "form_token";

/** The token for a reader's forms. `bond`: of the reader, so that it ends with the session. */
export const formToken = (keys: TokenKeys, bond: string): string => tokenOf(keys.newest.console, bond);

const tokenOf = (key: Uint8Array, bond: string): string => makeMacText(key, `form ${bond}`);

/**
 * Refuses a request that another site's page caused. Sec-Fetch-Site cannot be set by scripts; browsers before 2023 have
 * Origin only, and one of the two is needed. Throws {@link PageProblem}.
 */
export function requireOwnPage(c: Context<AppEnv>): void {
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  const own = [new URL(c.req.url).origin, new URL(baseUrl(c.env.BASE_URL, c.req.url)).origin];
  const sameSite = site === undefined || site === "same-origin";
  const sameOrigin = origin === undefined || own.includes(origin);
  if (!sameSite || !sameOrigin || (site === undefined && origin === undefined)) throw forged();
}

/** Refuses a form without the reader's token. Throws {@link PageProblem}. */
export function requireFormToken(c: Context<AppEnv>, form: FormData, bond: string): void {
  const given = form.get(FORM_TOKEN);
  const keys = [...readTokenKeys(c.env).byKid.values()];
  const fits = keys.map((key) => sameSecret(typeof given === "string" ? given : "", tokenOf(key.console, bond)));
  if (!fits.includes(true)) throw forged();
}

const forged = (): PageProblem =>
  new PageProblem({
    status: 403,
    code: "form_not_ours",
    heading: "The form was not taken",
    text: "It did not come from a page of this console that you have open now, so nothing was done. Load the page again and repeat.",
  });
