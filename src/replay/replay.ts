/**
 * Makes the answer of a ledger's record again from kept documents, as of the record's instant, and compares: of a PSP
 * check the whole answer, of a grant the verdicts and the decision on each certificate that it was decided by.
 */

import { type MissingDocument, parseDocument, type ReadKept, readDocument } from "../ledger/kept-reader.ts";
import type { CheckedCertificate, LedgerRecord } from "../ledger/record.ts";
import { createHash } from "../node-crypto.ts";
import { VERDICTS } from "../psp-check/checks-log.ts";
import { type Decision, decideOnCheck } from "../psp-check/decision.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";
import type { RegisterMaxAges } from "../registers/manifest.ts";
import { describeCheck } from "../routes/psp/eidas.ts";
import { VERSION } from "../version.ts";
import { type Difference, findFirstDifference } from "./first-difference.ts";
import { judgeBasis } from "./judge-basis.ts";

export type Replay =
  | { readonly ok: true; readonly equal: true; readonly compared: Compared }
  | {
      readonly ok: true;
      readonly equal: false;
      readonly difference: Difference;
      /** Of the service: the one that answered, and this one. */
      readonly releases: { readonly recorded: string; readonly replayed: string };
    }
  | { readonly ok: false; readonly missing: readonly MissingDocument[] };

/** `nothing`: the request was refused before a certificate was checked, or its PSP had shown one earlier. */
export type Compared = "answer" | "checks" | "nothing";

interface Remade {
  readonly check: PspCheck;
  readonly maxAges: RegisterMaxAges;
  readonly decisions: readonly Decision[];
  readonly entry: CheckedCertificate;
}

/** Throws only what `read` throws. */
export async function replay(record: LedgerRecord, read: ReadKept): Promise<Replay> {
  const at = Date.parse(record.time);
  const remade: Remade[] = [];
  const missing: MissingDocument[] = [];
  for (const checked of record.checks) {
    const judged = await judgeBasis(checked.basis, read, at);
    if (judged.ok) remade.push(decideAgain(checked, judged.check, judged.maxAges, at));
    else missing.push(...judged.missing);
  }
  const kept = record.answer === null ? null : await readDocument(read, "answer", record.answer);
  if (kept?.ok === false) missing.push(kept.missing);
  if (missing.length > 0) return { ok: false, missing };
  const difference =
    findFirstDifference(
      record.checks,
      remade.map(({ entry }) => entry),
      "checks",
    ) ?? (kept?.ok ? compareAnswer(record, kept.bytes, remade[0], at) : null);
  if (difference)
    return { ok: true, equal: false, difference, releases: { recorded: record.release, replayed: VERSION } };
  return { ok: true, equal: true, compared: kept ? "answer" : remade.length > 0 ? "checks" : "nothing" };
}

function decideAgain(checked: CheckedCertificate, check: PspCheck, maxAges: RegisterMaxAges, at: number): Remade {
  const { jurisdictions, basis } = checked;
  const places = jurisdictions.length === 0 ? [null] : jurisdictions;
  const decisions = places.map((jurisdiction) => decideOnCheck(check, jurisdiction, at, maxAges));
  const entry: CheckedCertificate = {
    certificate: check.evidence.path[0]?.sha256 ?? checked.certificate,
    psp: check.psp.pspId,
    jurisdictions,
    verdicts: VERDICTS.filter((verdict) => !check.validity[verdict]),
    decisions: decisions.map(({ payments, accounts }) => ({ payments: payments.allowed, accounts: accounts.allowed })),
    basis,
  };
  return { check, maxAges, decisions, entry };
}

function compareAnswer(
  { answer, version, checks }: LedgerRecord,
  kept: Uint8Array,
  remade: Remade | undefined,
  at: number,
): Difference | null {
  const [jurisdiction] = checks[0]?.jurisdictions ?? [];
  if (!remade || jurisdiction === undefined)
    return { path: "answer", recorded: answer, replayed: "no certificate for a jurisdiction was checked" };
  const { check, maxAges, decisions } = remade;
  const text = JSON.stringify(describeCheck(check, jurisdiction, version, maxAges, at, decisions[0]));
  const sha256 = createHash("sha256").update(text).digest("hex");
  if (sha256 === answer) return null;
  const difference = findFirstDifference(parseDocument(kept), JSON.parse(text), "answer");
  // equal but for the order of members or the spelling of a number
  return difference ?? { path: "answer", recorded: answer, replayed: sha256 };
}
