/** Keeps what a request's check rests on alone, for the record that its answer will leave (evidence/ledger/kept-documents.ts). */
import type { Context } from "hono";
import { nameBundle } from "../../evidence/ledger/document-bundle.ts";
import { contextOfChecks, keepRestedOn } from "../../evidence/ledger/kept-documents.ts";
import { VERSION } from "../../platform/version.ts";
import { listBasis } from "../../psp-check/basis.ts";
import { type AnsweredCheck, documentOf, type RequestEvidence, recallAnswer } from "../../psp-check/kept-answer.ts";
import type { KeptDocument } from "../../psp-check/kept-document.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import type { AppEnv } from "../context.ts";

/** Checks whose basis was kept by itself: many requests recall one. */
const kept = new WeakSet<PspCheck>();

/** Of a request whose record names no answer. */
export function keepBasis(c: Context<AppEnv>, check: PspCheck): void {
  if (kept.has(check)) return;
  kept.add(check);
  keep(c, check, []);
}

/** Keeps the answer to one check, and returns the SHA-256 of its kept form in lower-case hex. */
export function keepAnswer(c: Context<AppEnv>, answered: AnsweredCheck): string {
  const known = recallAnswer(answered, c.get("now"));
  if (!known.kept) keep(c, answered.check, [documentOf(known)]);
  known.kept = true;
  return known.sha256;
}

/** What the answer says of its request. */
export const requestEvidence = (c: Context<AppEnv>): RequestEvidence => ({
  id: c.get("evidenceId"),
  now: c.get("now"),
  release: VERSION,
});

function keep(c: Context<AppEnv>, check: PspCheck, answer: readonly KeptDocument[]): void {
  const { basis, hosts } = listBasis([check]);
  const documents = [...answer, basis];
  const name = nameBundle(documents.map(({ sha256 }) => sha256));
  const now = c.get("now");
  contextOfChecks(c.env, c.executionCtx, now).keep?.(hosts);
  keepRestedOn(c.env, c.executionCtx, { name, certificate: check.certificate, documents: () => documents }, now);
}
