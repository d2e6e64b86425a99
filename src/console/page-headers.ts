/** The headers of every page: nothing is stored, nothing is loaded from elsewhere, nobody frames it. */
import type { Context } from "hono";
import type { AppEnv } from "../http/context.ts";

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  // no-referrer would make browsers send `Origin: null` with forms (Fetch standard, "append a request Origin header")
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
} as const;

export function setPageHeaders(c: Context<AppEnv>): void {
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
}
