/** The elements of the answer of POST /v1/psp/checks, and what the log line says of them. */

import type { Context } from "hono";
import type { CheckedCertificate } from "../../evidence/ledger/record.ts";
import type { AppEnv } from "../../http/context.ts";
import { errorList } from "../../http/errors/error-response.ts";
import type { Problem } from "../../http/errors/errors.ts";
import type { PresentedText } from "../../http/middleware/certificate.ts";
import { describeChecked, requestEvidence } from "../../http/middleware/noted-check.ts";
import type { Instant } from "../../platform/instant.ts";
import { explainOutage } from "../../platform/stores.ts";
import type { Version } from "../../platform/version.ts";
import { describeCheck, sendAnswer } from "../../psp-check/answer.ts";
import { type KeptDocument, listBasis, textDocument } from "../../psp-check/basis.ts";
import { type Decision, decideOnCheck } from "../../psp-check/decision.ts";
import { type ChainResult, type ChecksLog, describeForLog } from "../../psp-check/many-checks.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import type { RegisterMaxAges } from "../../registers/manifest.ts";
import type * as answers from "./checks.answer.ts";
import { findCountryProblem } from "./eidas.ts";

/** An element that can be checked, or what is wrong with it. */
export type Asked =
  | {
      readonly ok: true;
      readonly id: string | undefined;
      readonly presented: PresentedText & { readonly ok: true };
      readonly jurisdictions: readonly Jurisdiction[];
    }
  | { readonly ok: false; readonly id: string | undefined; readonly problems: readonly Problem[] };

export type Jurisdiction = { readonly country: string } | { readonly country: null; readonly problem: Problem };

interface Described {
  readonly sent: answers.PspChecksElement;
  /** As kept: without the caller's ids, which may name a person. A result is the SHA-256 of its own kept form. */
  readonly kept: { readonly results: readonly object[] } | KeptErrors;
  readonly log: ChecksLog["checks"]["each"][number];
  /** Undefined if there is no result. */
  readonly checked?: CheckedCertificate | undefined;
  /** What its results alone are based on, and their kept forms. */
  readonly documents: readonly KeptDocument[];
  readonly results: number;
  readonly refused: number;
  readonly postponed: boolean;
}

/** What all elements are described with. Read once for all of them. */
export interface Terms {
  readonly c: Context<AppEnv>;
  readonly now: Instant;
  readonly version: Version;
  readonly maxAges: RegisterMaxAges;
}

export function describeElement(terms: Terms, asked: Asked, result: ChainResult | undefined): Described {
  const { c } = terms;
  const id = asked.id !== undefined && { id: asked.id };
  if (!asked.ok || !result?.ok) {
    const problems = asked.ok ? [explainUnchecked(c, result?.ok === false ? result : undefined)] : asked.problems;
    const outcome = problems[0]?.code ?? "ok";
    const postponed = outcome === "check_postponed";
    const none = { documents: [], results: 0, refused: 1 };
    return {
      ...none,
      sent: { ...id, errors: errorList(c, problems) },
      kept: keepErrors(problems),
      log: { outcome },
      postponed,
    };
  }
  const answers = asked.jurisdictions.map((jurisdiction) => describeThere(terms, jurisdiction, result.checks));
  const decisions = answers.flatMap(({ decided }) => (decided ? [decided] : []));
  const [check] = result.checks.values();
  const noted = noteElement(result.checks, decisions);
  return {
    sent: { ...id, results: answers.map(({ sent }) => sent) },
    kept: { results: answers.map(({ kept }) => kept) },
    log: check ? describeForLog(check, decisions) : { outcome: "jurisdiction_invalid" },
    checked: noted?.checked,
    documents: [...(noted?.documents ?? []), ...answers.flatMap(({ document }) => document ?? [])],
    results: decisions.length,
    refused: answers.length - decisions.length,
    postponed: false,
  };
}

/** For the ledger: one certificate and the jurisdictions that have a result. Its basis is that of them all. */
function noteElement(
  checks: ReadonlyMap<string, PspCheck>,
  decisions: readonly (readonly [jurisdiction: string, decision: Decision])[],
): { readonly checked: CheckedCertificate; readonly documents: readonly KeptDocument[] } | undefined {
  const jurisdictions = decisions.map(([jurisdiction]) => jurisdiction);
  const [check, ...more] = jurisdictions.flatMap((jurisdiction) => checks.get(jurisdiction) ?? []);
  if (!check) return undefined;
  const { basis, hosts } = listBasis([check, ...more]);
  const results = decisions.map(([, decision]) => decision);
  return { checked: describeChecked(check, results, jurisdictions, basis.sha256), documents: [basis, ...hosts] };
}

const NOT_CHECKED = "the certificate was not checked. Send this element again";

/** Why a certificate that can be read was not checked. */
function explainUnchecked(c: Context<AppEnv>, result: (ChainResult & { ok: false }) | undefined): Problem {
  if (result?.reason !== "store") return { code: "check_postponed" };
  console.error(JSON.stringify({ request_id: c.get("requestId"), error: result.error.message }));
  return { code: "temporarily_unavailable", title: explainOutage(NOT_CHECKED) };
}

/** The codes: a title may quote what the caller sent. */
interface KeptErrors {
  readonly errors: readonly string[];
}

const keepErrors = (problems: readonly Problem[]): KeptErrors => ({ errors: problems.map(({ code }) => code) });

interface DescribedThere {
  readonly sent: answers.PspChecksThere;
  readonly kept: object;
  /** Undefined if the jurisdiction was refused. */
  readonly decided?: readonly [jurisdiction: string, decision: Decision];
  /** The kept form of the result. */
  readonly document?: KeptDocument;
}

function describeThere(
  { c, now, version, maxAges }: Terms,
  jurisdiction: Jurisdiction,
  checks: ReadonlyMap<string, PspCheck>,
): DescribedThere {
  const { country } = jurisdiction;
  const check = country === null ? undefined : checks.get(country);
  const problem = country === null ? jurisdiction.problem : check ? findCountryProblem(country, check) : null;
  if (problem || country === null || !check) {
    const problems = problem ? [problem] : [];
    const sent = { jurisdiction: country, errors: errorList(c, problems) };
    return { sent, kept: { jurisdiction: country, ...keepErrors(problems) } };
  }
  const decision = decideOnCheck(
    check,
    { jurisdiction: country, bankPassports: c.get("fi").bankPassports },
    now,
    maxAges,
  );
  const answer = describeCheck(check, country, version, maxAges, now, decision);
  const document = textDocument(JSON.stringify(answer));
  return {
    sent: { jurisdiction: country, result: sendAnswer(answer, requestEvidence(c)) },
    kept: { jurisdiction: country, result: document.sha256 },
    document,
    decided: [country, decision],
  };
}

export const describeLog = (answers: readonly Described[]): ChecksLog => ({
  checks: {
    asked: answers.length,
    results: answers.reduce((sum, { results }) => sum + results, 0),
    refused: answers.reduce((sum, { refused }) => sum + refused, 0),
    postponed: answers.filter(({ postponed }) => postponed).length,
    each: answers.map(({ log }) => log),
  },
});
