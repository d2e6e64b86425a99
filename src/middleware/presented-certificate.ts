/**
 * The certificate of the header `eidas`: read once for a request, and what the stores hold on it asked for while the
 * caller's credentials are still being looked up. On a cold isolate that is one round trip instead of two. Nothing is
 * fetched from a QTSP and nothing answered before the caller is known.
 */
import type { Context } from "hono";
import { now } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { type EidasHeader, parseEidasHeader } from "../eidas/eidas-header.ts";
import { type Chain, readEvidence } from "../psp-check.ts";

/** The certificate, or what is wrong with it; null without the header. */
export function readPresented(c: Context<AppEnv>): EidasHeader | null {
  const header = c.req.header("eidas");
  if (!header) return null;
  const presented = c.var.presented ?? parseEidasHeader(header);
  c.set("presented", presented);
  return presented;
}

/** Begins to read; the check goes on from `c.var.evidence`. `jurisdiction` as in `checkPsp`. */
export function beginReading(c: Context<AppEnv>, chain: Chain, jurisdiction: string | null): void {
  const evidence = readEvidence(c.env.KV, chain, jurisdiction, now());
  // a request refused meanwhile leaves it unread
  evidence.catch(() => {});
  c.set("evidence", evidence);
}
