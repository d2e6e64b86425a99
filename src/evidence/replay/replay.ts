/**
 * Makes the answer of a ledger's record again from kept documents, at the record's instant, and compares: of a PSP
 * check the answer's verdicts, decisions, codes and facts of registers, of a grant the verdicts and the decision on each
 * certificate that it was decided by. A sentence in other words is a note (differences.ts).
 */
import { VERDICT_NAMES } from "../../eidas/verdict-codes.ts";
import type { Instant } from "../../platform/instant.ts";
import { VERSION } from "../../platform/version.ts";
import { describeCheck } from "../../psp-check/answer.ts";
import { textDocument } from "../../psp-check/basis.ts";
import { decideOnCheck } from "../../psp-check/decision.ts";
import type { CheckedCertificate, LedgerRecord } from "../ledger/record.ts";
import {
  type MissingDocument,
  parseDocument,
  type ReadKept,
  readDocument,
  readElements,
} from "../ledger/record-documents.ts";
import { type Difference, findFirstDifference, type Notes, NoteTaker } from "./differences.ts";
import { type JudgedBasis, judgeBasis } from "./judge-basis.ts";

export type Replay =
  | {
      readonly ok: true;
      readonly equal: true;
      readonly compared: Compared;
      /** What this release says in other words, or says beyond it; absent if the answer is the same to the letter. */
      readonly notes?: Notes;
    }
  | {
      readonly ok: true;
      readonly equal: false;
      readonly difference: Difference;
      /** Of the service: the one that answered, and this one. */
      readonly releases: { readonly recorded: string; readonly replayed: string };
    }
  | { readonly ok: false; readonly missing: readonly MissingDocument[] };

/**
 * `answer`: the whole of it, but for notes. `results`: of an answer to many checks all results; what was refused there is not judged again.
 * Of a signed request, too: the check of the certificate, and not the signature, since the request is not kept.
 * `checks`: verdicts and decisions. `nothing`: the request was refused before a certificate was checked, or its PSP had
 * shown one earlier.
 */
export type Compared = "answer" | "results" | "checks" | "nothing";

/** A checked certificate of the record, and the check made again. */
interface Remade {
  readonly checked: CheckedCertificate;
  readonly basis: JudgedBasis;
}

const SIGNED = "POST /v1/psp/signatures";

/** Throws only what `read` throws. */
export async function replay(record: LedgerRecord, read: ReadKept): Promise<Replay> {
  const at = Date.parse(record.as_of ?? record.time);
  const remade: Remade[] = [];
  const missing: MissingDocument[] = [];
  for (const checked of record.checks) {
    const basis = await judgeBasis(checked.basis, read, at);
    if (basis.ok) remade.push({ checked, basis });
    else missing.push(...basis.missing);
  }
  if (missing.length > 0) return { ok: false, missing };
  const entries = remade.map((check) => decideAgain(check, record, at));
  const decided = findFirstDifference(record.checks, entries, "checks");
  const taker = new NoteTaker();
  const compared = decided ? differs(decided) : await compareAnswers(record, remade, read, at, taker);
  if (!compared.ok) return compared;
  const { difference } = compared;
  const releases = { recorded: record.release, replayed: VERSION };
  if (difference) return { ok: true, equal: false, difference, releases };
  const notes = taker.list(releases);
  return { ok: true, equal: true, compared: compared.compared, ...(notes && { notes }) };
}

/** What the record says of the certificate, made again. */
function decideAgain(
  { checked, basis }: Remade,
  { bank_passports: bankPassports }: LedgerRecord,
  at: Instant,
): CheckedCertificate {
  const { jurisdictions } = checked;
  const { certificate, psp, validity } = basis.checkFor(null);
  const places = jurisdictions.length === 0 ? [null] : jurisdictions;
  return {
    ...{ certificate, psp: psp.pspId, jurisdictions },
    verdicts: VERDICT_NAMES.filter((verdict) => !validity[verdict]),
    decisions: places.map((jurisdiction) => {
      const { payments, accounts } = decideOnCheck(basis.checkFor(jurisdiction), { jurisdiction, bankPassports }, at);
      return { payments: payments.allowed, accounts: accounts.allowed };
    }),
    basis: checked.basis,
  };
}

type AnswerComparison =
  | { readonly ok: true; readonly difference: null; readonly compared: Compared }
  | { readonly ok: true; readonly difference: Difference }
  | { readonly ok: false; readonly missing: readonly MissingDocument[] };

const same = (compared: Compared): AnswerComparison => ({ ok: true, difference: null, compared });
const differs = (difference: Difference): AnswerComparison => ({ ok: true, difference });

async function compareAnswers(
  record: LedgerRecord,
  remade: readonly Remade[],
  read: ReadKept,
  at: Instant,
  taker: NoteTaker,
): Promise<AnswerComparison> {
  const { answer, event } = record;
  if (answer === null) return same(remade.length > 0 ? "checks" : "nothing");
  const kept = await readDocument(read, "answer", answer);
  if (!kept.ok) return { ok: false, missing: [kept.missing] };
  if (event === "psps.checked") return compareElements(record, kept.bytes, remade, read, at, taker);
  const [first] = remade;
  // of a signed request without a certificate; the request is not kept, so its signature is not judged again
  if (!first && record.endpoint === SIGNED) return same("nothing");
  if (!first) return differs({ path: "answer", recorded: null, replayed: "no check for it" });
  // the older form asks for no jurisdiction: its answer is that of the home country
  const [jurisdiction = first.basis.checkFor(null).psp.homeCountry ?? ""] = first.checked.jurisdictions;
  return compareAnswer({ ...record, answer, jurisdiction, path: "answer" }, kept.bytes, first, at, taker);
}

/** The elements with a result are those of the record's checks, in their order. What was refused is not judged again. */
async function compareElements(
  record: LedgerRecord,
  kept: Uint8Array,
  remade: readonly Remade[],
  read: ReadKept,
  at: Instant,
  taker: NoteTaker,
): Promise<AnswerComparison> {
  const waiting = remade.values();
  const missing: MissingDocument[] = [];
  let refused = false;
  for (const [i, { results = [] }] of readElements(parseDocument(kept)).entries()) {
    refused ||= results.length === 0 || results.some(({ result }) => result === undefined);
    if (!results.some(({ result }) => result !== undefined)) continue;
    const { value: each } = waiting.next();
    for (const [j, { jurisdiction, result }] of results.entries()) {
      if (result === undefined) continue;
      const path = `answer.data[${i}].results[${j}].result`;
      if (!each || jurisdiction === null) return differs({ path, recorded: result, replayed: "no check for it" });
      const document = await readDocument(read, "answer", result);
      if (!document.ok) missing.push(document.missing);
      else {
        const compared = compareAnswer(
          { ...record, answer: result, jurisdiction, path },
          document.bytes,
          each,
          at,
          taker,
        );
        if (!compared.ok || compared.difference) return compared;
      }
    }
  }
  if (missing.length > 0) return { ok: false, missing };
  if (!waiting.next().done) return differs({ path: "checks", recorded: null, replayed: "no result for it" });
  return same(remade.length === 0 ? "nothing" : refused ? "results" : "answer");
}

interface ComparedAnswer extends Pick<LedgerRecord, "version" | "endpoint" | "bank_passports"> {
  /** SHA-256 of its kept form. */
  readonly answer: string;
  /** ISO code in upper case. */
  readonly jurisdiction: string;
  readonly path: string;
}

function compareAnswer(
  { version, endpoint, bank_passports: bankPassports, answer, jurisdiction, path }: ComparedAnswer,
  kept: Uint8Array,
  { basis }: Remade,
  at: Instant,
  taker: NoteTaker,
): AnswerComparison {
  const { checkFor, registerMaxAges } = basis;
  const check = checkFor(jurisdiction);
  const decision = decideOnCheck(check, { jurisdiction, bankPassports }, at, registerMaxAges);
  const said = describeCheck(check, jurisdiction, version, registerMaxAges, at, decision);
  const { signature } = (parseDocument(kept) ?? {}) as { readonly signature?: unknown };
  const isSigned = endpoint === SIGNED && signature !== undefined;
  const text = JSON.stringify(isSigned ? { ...said, signature } : said);
  const { sha256 } = textDocument(text);
  const compared = isSigned ? "results" : "answer";
  if (sha256 === answer) return same(compared);
  const before = taker.count;
  const difference = findFirstDifference(parseDocument(kept), JSON.parse(text), path, taker.isNoted);
  if (difference) return differs(difference);
  // equal but for the order of members or the spelling of a number
  if (taker.count === before) taker.add({ path, recorded: answer, replayed: sha256 });
  return same(compared);
}
