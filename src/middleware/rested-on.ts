/** Keeps what a request's check rests on alone, for the record that its answer will leave (ledger/kept-documents.ts). */
import type { Context } from "hono";
import type { AppEnv } from "../context.ts";
import { contextOfChecks, keepRestedOn } from "../ledger/kept-documents.ts";
import { nameBundle } from "../ledger/known-documents.ts";
import { listBasis } from "../psp-check/basis.ts";
import type { KeptDocument } from "../psp-check/kept-document.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";

/** Checks whose basis was kept by itself: many requests recall one. */
const kept = new WeakSet<PspCheck>();

/** Of a request whose record names no answer. */
export function keepBasis(c: Context<AppEnv>, check: PspCheck): void {
  if (kept.has(check)) return;
  kept.add(check);
  keep(c, check, []);
}

/** Of a PSP check. `answer`: its kept form. */
export const keepAnswered = (c: Context<AppEnv>, check: PspCheck, answer: KeptDocument): void =>
  keep(c, check, [answer]);

function keep(c: Context<AppEnv>, check: PspCheck, answer: readonly KeptDocument[]): void {
  const { basis, hosts } = listBasis([check]);
  const documents = [...answer, basis];
  const name = nameBundle(documents.map(({ sha256 }) => sha256));
  const now = c.get("now");
  contextOfChecks(c.env, c.executionCtx, now).keep?.(hosts);
  keepRestedOn(c.env, c.executionCtx, { name, certificate: check.certificate, documents: () => documents }, now);
}
