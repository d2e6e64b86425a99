/**
 * Makes the answer of a ledger's record again from kept documents, as of the record's instant, and compares: of a PSP
 * check the whole answer, of a grant the verdicts and the decision on each certificate that it was decided by.
 */
import { type MissingDocument, parseDocument, type ReadKept, readDocument } from "../ledger/kept-reader.ts";
import type { CheckedCertificate, LedgerRecord } from "../ledger/record.ts";
import { VERDICTS } from "../psp-check/checks-log.ts";
import { decideOnCheck } from "../psp-check/decision.ts";
import { textDocument } from "../psp-check/kept-document.ts";
import { describeCheck } from "../routes/psp/eidas.ts";
import { writeAnswer } from "../routes/psp/kept-answer.ts";
import { VERSION } from "../version.ts";
import { type Difference, findFirstDifference } from "./first-difference.ts";
import { type JudgedBasis, judgeBasis } from "./judge-basis.ts";

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

/** A checked certificate of the record, and the check made again. */
interface Remade {
  readonly checked: CheckedCertificate;
  readonly judged: JudgedBasis;
}

/** Throws only what `read` throws. */
export async function replay(record: LedgerRecord, read: ReadKept): Promise<Replay> {
  const at = Date.parse(record.time);
  const remade: Remade[] = [];
  const missing: MissingDocument[] = [];
  for (const checked of record.checks) {
    const judged = await judgeBasis(checked.basis, read, at);
    if (judged.ok) remade.push({ checked, judged });
    else missing.push(...judged.missing);
  }
  if (missing.length > 0) return { ok: false, missing };
  const entries = remade.map((each) => decideAgain(each, at));
  const decided = findFirstDifference(record.checks, entries, "checks");
  const compared = decided
    ? { ok: true as const, difference: decided }
    : await compareAnswers(record, remade, read, at);
  if (!compared.ok) return compared;
  const { difference } = compared;
  if (difference)
    return { ok: true, equal: false, difference, releases: { recorded: record.release, replayed: VERSION } };
  return {
    ok: true,
    equal: true,
    compared: record.answer !== null ? "answer" : remade.length > 0 ? "checks" : "nothing",
  };
}

/** What the record says of the certificate, made again. */
function decideAgain({ checked, judged }: Remade, at: number): CheckedCertificate {
  const { jurisdictions, basis } = checked;
  const { certificate, psp, validity } = judged.checkFor(null);
  const places = jurisdictions.length === 0 ? [null] : jurisdictions;
  return {
    ...{ certificate, psp: psp.pspId, jurisdictions },
    verdicts: VERDICTS.filter((verdict) => !validity[verdict]),
    decisions: places.map((jurisdiction) => {
      const { payments, accounts } = decideOnCheck(judged.checkFor(jurisdiction), jurisdiction, at);
      return { payments: payments.allowed, accounts: accounts.allowed };
    }),
    basis,
  };
}

type AnswerComparison =
  | { readonly ok: true; readonly difference: Difference | null }
  | { readonly ok: false; readonly missing: readonly MissingDocument[] };

/** The kept form of the answer, made again, beside the kept one. */
async function compareAnswers(
  { answer, event, ...record }: LedgerRecord,
  remade: readonly Remade[],
  read: ReadKept,
  at: number,
): Promise<AnswerComparison> {
  if (answer === null) return { ok: true, difference: null };
  const document = await readDocument(read, "answer", answer);
  if (!document.ok) return { ok: false, missing: [document.missing] };
  const kept = parseDocument(document.bytes);
  const write = writeWith({ ...record, at });
  const text = event === "psps.checked" ? writeElements(kept, remade, write) : writeOnly(remade, write);
  const { sha256 } = textDocument(text);
  if (sha256 === answer) return { ok: true, difference: null };
  // equal but for the order of members or the spelling of a number
  const spelling = { path: "answer", recorded: answer, replayed: sha256 };
  return { ok: true, difference: findFirstDifference(kept, JSON.parse(text), "answer") ?? spelling };
}

/** The kept form of one check's answer. */
type Write = (remade: Remade | undefined, jurisdiction: string | null | undefined) => string;

/** `at`: milliseconds since 1970. */
const writeWith =
  ({ id, version, release, at }: Pick<LedgerRecord, "id" | "version" | "release"> & { readonly at: number }): Write =>
  (remade, jurisdiction) => {
    if (!remade || jurisdiction == null) return "null";
    const { checkFor, registerMaxAges } = remade.judged;
    const said = describeCheck(checkFor(jurisdiction), jurisdiction, version, registerMaxAges, at);
    return writeAnswer(said, { id, release, now: at }).kept;
  };

const writeOnly = ([first]: readonly Remade[], write: Write): string => write(first, first?.checked.jurisdictions[0]);

/** An element of the kept answer to POST /v1/psp/checks (routes/psp/check-answers.ts). */
interface KeptElement {
  readonly results?: readonly { readonly jurisdiction: string | null; readonly result?: unknown }[];
}

/** The elements with a result are those of the record's checks, in their order. What was refused is not judged again. */
function writeElements(kept: unknown, remade: readonly Remade[], write: Write): string {
  const { data = [] } = Object(kept) as { readonly data?: readonly KeptElement[] };
  const waiting = remade.values();
  const elements = data.map((element) => {
    const { results = [] } = element;
    if (!results.some(({ result }) => result !== undefined)) return JSON.stringify(element);
    const { value: each } = waiting.next();
    const written = results.map((one) =>
      one.result === undefined
        ? JSON.stringify(one)
        : `{"jurisdiction":${JSON.stringify(one.jurisdiction)},"result":${write(each, one.jurisdiction)}}`,
    );
    return `{"results":[${written.join(",")}]}`;
  });
  return `{"data":[${elements.join(",")}]}`;
}
