/**
 * A PSP check in plain sentences for people: `psp check` prints them, and the console's page shows them. They say what
 * the answer of GET /v1/psp/eidas says and decide nothing.
 */

import type { WarningCode } from "../eidas/every-warning.ts";
import { VERDICT_CODES, VERDICT_NAMES } from "../eidas/verdict-codes.ts";
import { VERDICTS, type VerdictName } from "../eidas/verdicts.ts";
import { type Warning, warning } from "../eidas/warnings.ts";
import { countryName } from "../platform/country.ts";
import type { HomeRegister, HostRegister } from "../registers/check.ts";
import type { Scope } from "../registers/entitlement.ts";
import type { Decision, Reason } from "./decision.ts";
import { USUAL_WORDS, type Words, wordsFor } from "./directory-words.ts";
import type { PspCheck } from "./psp-check.ts";

/** Something that stands against the PSP, or is worth knowing, and what is to be done about it. */
export interface Remark {
  readonly code: WarningCode | Reason["code"];
  readonly sentence: string;
  readonly cure: string;
}

export interface Verdict {
  readonly field: VerdictName;
  readonly good: boolean;
  readonly sentence: string;
  readonly reasons: readonly Remark[];
}

export interface ScopeSentence {
  readonly scope: Scope;
  /** `unknown`: only what this service lacks stands against it. It counts as a no. */
  readonly answer: "yes" | "no" | "unknown";
  readonly sentence: string;
  /** Why not; without those that the verdicts have said. */
  readonly reasons: readonly (Remark & { readonly whose: string })[];
}

/** The register part of the answer in version `latest`. */
export interface RegisterAnswers {
  readonly homeRegister: HomeRegister;
  readonly hostRegister?: HostRegister | undefined;
}

const ALL_VERDICT_CODES: ReadonlySet<string> = new Set(Object.values(VERDICT_CODES).flat());

const WHOSE: Readonly<Record<Reason["whose"], string>> = {
  psp: "the PSP",
  qtsp: "the PSP's QTSP",
  nca: "the NCA of the PSP's home country",
  source: "the operator of this service",
};

/** The four verdicts, in the order of the answer. */
export function describeVerdicts(check: PspCheck): Verdict[] {
  const { validity, warnings } = check;
  const words = wordsOf(check);
  return VERDICT_NAMES.map((field) => {
    const against = warnings.filter(({ code }) => VERDICT_CODES[field].some((each) => each === code));
    const good = validity[field];
    const sentence = good ? describeGood(field, check, words) : bad(field, against);
    // the sentence names the field for programs
    return { field, good, sentence, reasons: good ? [] : against.map((each) => remark(each, words, `${field}: `)) };
  });
}

export const wordsOf = ({ psp, evidence }: PspCheck): Words =>
  wordsFor({ source: evidence.anchor?.source ?? null, issuer: psp.QTSPCommonName, pspId: psp.pspId });

function describeGood(field: VerdictName, check: PspCheck, { byDirectory }: Words): string {
  const { anchor } = check.evidence;
  return byDirectory && field === "validQTSP" && anchor
    ? `The issuer ${check.psp.QTSPCommonName ?? "of the certificate"} is a CA of the Open Banking Directory, which the operator of this service loaded (${anchor.source}: ${anchor.serviceName}).`
    : VERDICTS[field].good(check);
}

/** Of several warnings the one that says most. */
function bad(field: VerdictName, against: readonly Warning[]): string {
  const warnings: readonly { readonly code: string; readonly sentence: string }[] = VERDICTS[field].warnings;
  const one = warnings.find(({ code }) => against.some((each) => each.code === code)) ?? warnings.at(-1);
  return one?.sentence ?? "";
}

const ACTS: Readonly<Record<Scope, string>> = { payments: "initiate payments", accounts: "read accounts" };

/** May the PSP initiate payments, may it read accounts. `jurisdiction`: ISO code in upper case. `words`: {@link wordsOf}. */
export function describeDecision(decision: Decision, jurisdiction: string, words = USUAL_WORDS): ScopeSentence[] {
  return (["payments", "accounts"] as const).map((scope) => {
    const { allowed, reasons, accepted = [] } = decision[scope];
    const unknown = reasons.length > 0 && reasons.every(({ whose }) => whose === "source");
    const answer = allowed ? "yes" : unknown ? "unknown" : "no";
    const act = `${ACTS[scope]} in ${countryName(jurisdiction)}`;
    const own = reasons.filter(({ code }) => !ALL_VERDICT_CODES.has(code));
    const why = own.length < reasons.length ? ": its certificate is not accepted" : "";
    const sentence = {
      yes: [`The PSP may ${act}.`, ...accepted.map(({ message }) => toSentence(message))].join(" "),
      no: `The PSP may not ${act}${why}.`,
      unknown: `Whether the PSP may ${act} could not be found out, which counts as a no.`,
    }[answer];
    return { scope, answer, sentence, reasons: own.map((each) => describeReason(each, words)) };
  });
}

const describeReason = ({ code, message, whose }: Reason, words: Words) => ({
  ...{ code, sentence: toSentence(message), cure: words.cureOf(code), whose: words.write(WHOSE[whose]) },
});

/** All warnings but those of the false verdicts, each once. */
export function describeWarnings(check: PspCheck, registers: RegisterAnswers): Remark[] {
  const ofRegisters = [registers.homeRegister, registers.hostRegister].flatMap((register) =>
    (register?.warning ?? []).flatMap((sentence, i) => {
      const code = register?.warning_codes?.[i];
      return code === undefined ? [] : [warning(code, sentence)];
    }),
  );
  const all = [...check.warnings, ...ofRegisters].filter(({ code }) => !ALL_VERDICT_CODES.has(code));
  const once = new Map(all.map((each) => [`${each.code} ${each.sentence}`, each]));
  const words = wordsOf(check);
  return [...once.values()].map((each) => remark(each, words));
}

const remark = ({ code, sentence }: Warning, words: Words, prefix = ""): Remark => ({
  code,
  sentence: toSentence(sentence.startsWith(prefix) ? sentence.slice(prefix.length) : sentence),
  cure: words.cureOf(code),
});

/** Begins with a capital, unless its first word is a field's name such as organizationIdentifier, and ends with a stop. */
function toSentence(text: string): string {
  const isName = /^[a-z]+[A-Z]|^[\w.]+:/.test(text);
  return `${isName ? text : text.charAt(0).toUpperCase() + text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
