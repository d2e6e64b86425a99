/**
 * What log line and record say of the certificates that a request was checked by, and what is kept for them: the answer, and
 * what the check is based on (evidence/ledger/kept-documents.ts).
 */

import type { Context } from "hono";
import { VERDICT_NAMES } from "../../eidas/verdict-codes.ts";
import { nameBundle } from "../../evidence/ledger/document-bundle.ts";
import { keepEvidence } from "../../evidence/ledger/kept-documents.ts";
import type { CheckedCertificate } from "../../evidence/ledger/record.ts";
import { VERSION } from "../../platform/version.ts";
import type { RequestEvidence } from "../../psp-check/answer.ts";
import type { KeptDocument } from "../../psp-check/basis.ts";
import { basisOf, jsonDocument, listBasis } from "../../psp-check/basis.ts";
import type { Decision } from "../../psp-check/decision.ts";
import { outcomeOf } from "../../psp-check/decision.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import type { AppEnv } from "../context.ts";

/** Of a request whose record names no answer. */
export const keepBasis = (c: Context<AppEnv>, check: PspCheck): void => keep(c, check, []);

/**
 * Keeps the kept form of an answer, which changes no more, with what its check is based on; `check` is null where there was no
 * certificate. Returns its SHA-256 in lower-case hex, for the record.
 */
export function keepAnswer(c: Context<AppEnv>, check: PspCheck | null, kept: object): string {
  const document = jsonDocument(kept);
  keep(c, check, [document]);
  return document.sha256;
}

/** What the answer says of its request. */
export const requestEvidence = (c: Context<AppEnv>): RequestEvidence => ({
  id: c.get("evidenceId"),
  now: c.get("now"),
  release: VERSION,
});

function keep(c: Context<AppEnv>, check: PspCheck | null, answer: readonly KeptDocument[]): void {
  const rested = check && listBasis([check]);
  const own = rested ? [...answer, rested.basis] : answer;
  const name = nameBundle(own.map(({ sha256 }) => sha256));
  const bundle = { name, certificate: check?.certificate ?? null, documents: () => own };
  keepEvidence(c.env, c.executionCtx, { documents: rested?.hosts ?? [], answer: bundle }, c.get("now"));
}

/**
 * Notes for the log line and the ledger which PSP's certificate was checked, and with which result. The outcome is that of the first
 * false verdict, in the words of the 401s, also where the answer is 200.
 */
export function noteCheck(c: Context<AppEnv>, check: PspCheck, decision: Decision): void {
  const { pspId } = check.psp;
  if (pspId !== null) c.set("psp", pspId);
  noteShown(c, check);
  const jurisdiction = c.get("jurisdiction");
  const checked = describeChecked(check, [decision], jurisdiction === undefined ? [] : [jurisdiction]);
  const { verdicts, decisions } = checked;
  c.set("check", { verdicts, decision: decisions[0] ?? { payments: false, accounts: false } });
  c.set("checked", [checked]);
  const outcome = outcomeOf(check);
  if (outcome !== "ok") c.set("outcome", outcome);
}

/** Notes whose certificate it was, for {@link observeShown} of ledger.ts. */
export const noteShown = (c: Context<AppEnv>, check: PspCheck): void =>
  c.set("shown", [...(c.get("shown") ?? []), check]);

/** What the ledger says of one certificate. `decisions`: one for each jurisdiction. */
export function describeChecked(
  check: PspCheck,
  decisions: readonly Decision[],
  jurisdictions: readonly string[],
  basis: string = basisOf([check]),
): CheckedCertificate {
  const { certificate, psp, validity } = check;
  return {
    ...{ certificate, psp: psp.pspId, jurisdictions, basis },
    verdicts: VERDICT_NAMES.filter((verdict) => !validity[verdict]),
    decisions: decisions.map(({ payments, accounts }) => ({ payments: payments.allowed, accounts: accounts.allowed })),
  };
}
