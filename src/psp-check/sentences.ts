/**
 * A PSP check in plain sentences for people: `psp check` prints them, and the console's page shows them. They say what
 * the answer of GET /v1/psp/eidas says and decide nothing.
 */

import type { Validity } from "../eidas/validity.ts";
import { type Warning, type WarningCode, warning } from "../eidas/warnings.ts";
import { countryName } from "../platform/country.ts";
import type { HomeRegister, HostRegister } from "../registers/check.ts";
import type { Scope } from "../registers/entitlement.ts";
import { CURES } from "./cures.ts";
import { type Decision, type Reason, VERDICT_CODES, VERDICTS } from "./decision.ts";
import type { PspCheck } from "./psp-check.ts";

/** Something that stands against the PSP, or is worth knowing, and what is to be done about it. */
export interface Remark {
  readonly code: WarningCode | Reason["code"];
  readonly sentence: string;
  readonly cure: string;
}

export interface Verdict {
  readonly field: keyof Validity;
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
  return VERDICTS.map((field) => {
    const against = warnings.filter(({ code }) => VERDICT_CODES[field].some((each) => each === code));
    const good = validity[field];
    const sentence = good ? GOOD[field](check) : bad(field, against);
    // the sentence names the field for programs
    return { field, good, sentence, reasons: good ? [] : against.map((each) => remark(each, `${field}: `)) };
  });
}

const day = (instant: number | string): string => new Date(instant).toISOString().slice(0, 10);

const GOOD: Readonly<Record<keyof Validity, (check: PspCheck) => string>> = {
  validQTSP: ({ psp, evidence: { anchor } }) =>
    `The issuer ${psp.QTSPCommonName ?? "of the certificate"} is a qualified trust service provider${
      anchor
        ? `: the ${anchor.source} trusted list of ${countryName(anchor.jurisdiction)} approves its service ${anchor.serviceName}`
        : ""
    }.`,
  validSignature: ({ evidence: { path } }) =>
    `The certificate is genuine: an unbroken path of ${path.length} certificates leads from it to the trusted list.`,
  notRevoked: ({ evidence: { revocation } }) => {
    const asked = revocation.map(({ source, producedAt }) => `${source} of ${day(producedAt)}`);
    return `The certificate is not revoked${asked.length > 0 ? ` (${asked.join(", ")})` : ""}.`;
  },
  notExpired: ({ psp }) => `The certificate is valid from ${day(psp.notBefore)} to ${day(psp.notAfter)}.`,
};

function bad(field: keyof Validity, against: readonly Warning[]): string {
  switch (field) {
    case "validQTSP":
      return "No trusted list approves the issuer for such a certificate.";
    case "validSignature":
      return "The certificate is not proved to be genuine: no valid path leads from it to a trusted list.";
    case "notRevoked":
      return against.some(({ code }) => code === "certificate_revoked")
        ? "The certificate is revoked, or counts as revoked."
        : "Whether the certificate is revoked could not be found out, so it does not count as valid.";
    case "notExpired":
      return "The certificate is not valid at this time.";
  }
}

const ACTS: Readonly<Record<Scope, string>> = { payments: "initiate payments", accounts: "read accounts" };

/** May the PSP initiate payments, may it read accounts. `jurisdiction`: ISO code in upper case. */
export function describeDecision(decision: Decision, jurisdiction: string): ScopeSentence[] {
  return (["payments", "accounts"] as const).map((scope) => {
    const { allowed, reasons } = decision[scope];
    const unknown = reasons.length > 0 && reasons.every(({ whose }) => whose === "source");
    const answer = allowed ? "yes" : unknown ? "unknown" : "no";
    const act = `${ACTS[scope]} in ${countryName(jurisdiction)}`;
    const own = reasons.filter(({ code }) => !ALL_VERDICT_CODES.has(code));
    const why = own.length < reasons.length ? ": its certificate is not accepted" : "";
    const sentence = {
      yes: `The PSP may ${act}.`,
      no: `The PSP may not ${act}${why}.`,
      unknown: `Whether the PSP may ${act} could not be found out, which counts as a no.`,
    }[answer];
    return { scope, answer, sentence, reasons: own.map(describeReason) };
  });
}

const describeReason = ({ code, message, whose }: Reason) => ({
  ...{ code, sentence: toSentence(message), cure: CURES[code], whose: WHOSE[whose] },
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
  return [...once.values()].map((each) => remark(each));
}

const remark = ({ code, sentence }: Warning, prefix = ""): Remark => ({
  code,
  sentence: toSentence(sentence.startsWith(prefix) ? sentence.slice(prefix.length) : sentence),
  cure: CURES[code],
});

/** Begins with a capital, unless its first word is a field's name such as organizationIdentifier, and ends with a stop. */
function toSentence(text: string): string {
  const isName = /^[a-z]+[A-Z]|^[\w.]+:/.test(text);
  return `${isName ? text : text.charAt(0).toUpperCase() + text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
