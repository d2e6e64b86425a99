/**
 * The certificate of the header `eidas`, read once for a request. What the stores hold on the first one in it may be asked
 * for while the caller's credentials are still being looked up (read-ahead-gate.ts): on a cold isolate that is one round
 * trip instead of two. Before the caller is known no other certificate is read, nothing is fetched from a QTSP, and
 * nothing is answered.
 */
import type { Context } from "hono";
import { now } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { type EidasHeader, type EidasHeaderFault, parseEidasHeader } from "../eidas/eidas-header.ts";
import { readFirstCertificate } from "../eidas/first-certificate.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory, memoryKey } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import { chainKey } from "../psp-check/chain.ts";
import { checkPsp, type PspCheck, recallCheck } from "../psp-check/psp-check.ts";
import { readAhead } from "../psp-check/psp-readings.ts";

/**
 * Which chain a header holds: the digest of its text -> the chain's key. The same text holds the same chain for ever, so
 * nothing here grows old. The certificates themselves are not kept, as they are needed only where the check is made
 * again: they would take a hundred times as much to save a tenth of a millisecond each half minute.
 * Exported for the test that fills it.
 */
export const knownHeaders = new Memory<string>(MEMORY_SHARES.headers, heapBytes);

/** The certificate, or what is wrong with it; null without the header. */
export function readPresented(c: Context<AppEnv>): EidasHeader | null {
  const header = c.req.header("eidas");
  if (!header) return null;
  const presented = c.var.presented ?? parseEidasHeader(header);
  c.set("presented", presented);
  return presented;
}

/** The check of the header's certificate when it was made a moment ago. `jurisdiction` as in `checkPsp`. */
function recallPresented(c: Context<AppEnv>, jurisdiction: string | null, asked: number): PspCheck | null {
  const chain = knownHeaders.get(memoryKey(c.req.header("eidas") ?? ""), asked);
  return chain === undefined ? null : recallCheck(chain, jurisdiction, asked);
}

/** The check of the header's certificate, or what is wrong with the header; null without it. As `checkPsp`. */
export async function checkPresented(
  c: Context<AppEnv>,
  jurisdiction: string | null,
  asked: number,
): Promise<{ readonly ok: true; readonly check: PspCheck } | EidasHeaderFault | null> {
  const remembered = recallPresented(c, jurisdiction, asked);
  if (remembered) return { ok: true, check: remembered };
  const chain = readPresented(c);
  if (!chain?.ok) return chain;
  const check = await checkPsp(c.env, c.executionCtx, chain, jurisdiction, asked, c.var.ahead ?? null);
  knownHeaders.set(memoryKey(c.req.header("eidas") ?? ""), chainKey(chain), Number.POSITIVE_INFINITY, asked);
  return { ok: true, check };
}

/** Begins to read for the first certificate of the header, which mostly is the PSP's own and alone. */
export function readPresentedAhead(c: Context<AppEnv>, jurisdiction: string | null): void {
  const header = c.req.header("eidas");
  if (!header || recallPresented(c, jurisdiction, now())) return;
  const first = readFirstCertificate(header);
  if (first) c.set("ahead", readAhead(c.env.KV, first, jurisdiction, now()));
}
