/** The elements of the answer of POST /v1/psp/checks, and what the log line says of them. */
import type { Context } from "hono";
import type { AppEnv, Version } from "../../context.ts";
import type * as answers from "../../contract/answers/psp-checks.ts";
import { errorList, type Problem } from "../../errors.ts";
import type { PresentedText } from "../../middleware/presented-certificate.ts";
import { type ChecksLog, describeForLog } from "../../psp-check/checks-log.ts";
import { type Decision, decideOnCheck } from "../../psp-check/decision.ts";
import type { ChainResult } from "../../psp-check/many-checks.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import type { RegisterMaxAges } from "../../registers/manifest.ts";
import { explainOutage } from "../../store-error.ts";
import { describeCheck, findCountryProblem } from "./eidas.ts";

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
  readonly body: answers.PspChecksElement;
  readonly log: ChecksLog["checks"]["each"][number];
  readonly results: number;
  readonly refused: number;
  readonly postponed: boolean;
}

/** What all elements are described with. Read once for all of them. */
export interface Terms {
  readonly c: Context<AppEnv>;
  readonly now: number;
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
    return { body: { ...id, errors: errorList(c, problems) }, log: { outcome }, results: 0, refused: 1, postponed };
  }
  const answers = asked.jurisdictions.map((jurisdiction) => describeThere(terms, jurisdiction, result.checks));
  const decisions = answers.flatMap(({ decided }) => (decided ? [decided] : []));
  const [check] = result.checks.values();
  return {
    body: { ...id, results: answers.map(({ body }) => body) },
    log: check ? describeForLog(check, decisions) : { outcome: "jurisdiction_invalid" },
    results: decisions.length,
    refused: answers.length - decisions.length,
    postponed: false,
  };
}

/** Why a certificate that can be read was not checked. */
function explainUnchecked(c: Context<AppEnv>, result: (ChainResult & { ok: false }) | undefined): Problem {
  if (result?.reason !== "store") return { code: "check_postponed" };
  console.error(JSON.stringify({ request_id: c.get("requestId"), error: result.error.message }));
  return { code: "temporarily_unavailable", title: explainOutage("GET") };
}

interface DescribedThere {
  readonly body: answers.PspChecksThere;
  /** Undefined if the jurisdiction was refused. */
  readonly decided?: readonly [jurisdiction: string, decision: Decision];
}

function describeThere(
  { c, now, version, maxAges }: Terms,
  jurisdiction: Jurisdiction,
  checks: ReadonlyMap<string, PspCheck>,
): DescribedThere {
  const { country } = jurisdiction;
  const check = country === null ? undefined : checks.get(country);
  const problem = country === null ? jurisdiction.problem : check ? findCountryProblem(country, check) : null;
  if (problem || country === null || !check)
    return { body: { jurisdiction: country, errors: errorList(c, problem ? [problem] : []) } };
  const decision = decideOnCheck(check, country, now, maxAges);
  const result = describeCheck(check, country, version, maxAges, now, decision);
  return { body: { jurisdiction: country, result }, decided: [country, decision] };
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
