/** Where a sign-in leads to, and how a page is opened that a link on another site names. */
import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnv } from "../../http/context.ts";

const START = "/console";

/** The sign-in page, which then leads to `path` with the query of `url`: an account, a record's institution. */
export function signInAddress(path: string, url: string): string {
  const query = new URL(url).searchParams;
  if (path === START) return "/console/sign-in";
  return `/console/sign-in?next=${encodeURIComponent(query.size === 0 ? path : `${path}?${query}`)}`;
}

/** Where people of an institution sign in as themselves. */
export const institutionAddress = (reference: string, next = ""): string =>
  `/console/sign-in/${encodeURIComponent(reference)}${next === "" ? "" : `?next=${encodeURIComponent(nextPage(next))}`}`;

/** A path of the console, and a query as URLSearchParams writes it. */
const NEXT = /^\/console(\/[\w-]+)*(\?[\w.*%+=&-]*)?$/;

/**
 * The page to show after the sign-in: one of the console. A link with another site's address as its end would lend it
 * this site's name.
 */
export const nextPage = (next: string): string => (NEXT.test(next) ? next : START);

/**
 * A browser sends no SameSite=Strict cookie when a link on another site was followed, such as one in a chat. So a
 * request from elsewhere is answered by a page that loads itself again, this time as a request of this site; null for
 * every other request.
 */
export function answerOtherSite(c: Context<AppEnv>): Response | Promise<Response> | null {
  const site = c.req.header("Sec-Fetch-Site");
  if (site !== "cross-site" && site !== "same-site") return null;
  return c.html(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8" /><meta http-equiv="refresh" content="0" /><title>psp-gate console</title></head><body><p><a href="">Continue to the console</a></p></body></html>`,
  );
}
