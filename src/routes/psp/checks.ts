/**
 * POST /v1/psp/checks: the PSP check of up to 50 certificates, each for up to 31 jurisdictions. Not in the interface.
 *
 * The answer has one element for each of the request, in its order: the results, one for each jurisdiction in the form
 * of GET /v1/psp/eidas, or errors in the interface's form. What is wrong with one element concerns no other. Each
 * element counts as a request in the limit per source address: what that protects is the work of checking a certificate,
 * and further jurisdictions of it cost only a share of a read.
 */

import type { Context } from "hono";
import * as z from "zod";
import { observeCertificate } from "../../events/observations.ts";
import { nameBundle } from "../../evidence/ledger/document-bundle.ts";
import { keepEvidence } from "../../evidence/ledger/kept-documents.ts";
import type { AppEnv } from "../../http/context.ts";
import type { Problem } from "../../http/errors/errors.ts";
import { presentText, rememberText } from "../../http/middleware/certificate.ts";
import { noteShown } from "../../http/middleware/noted-check.ts";
import { countAsMore } from "../../http/middleware/rate-limit.ts";
import { findProblems, validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { clock } from "../../platform/clock.ts";
import { readKnownCountry } from "../../platform/country.ts";
import type { Instant } from "../../platform/instant.ts";
import { once } from "../../platform/memory.ts";
import { optional, text } from "../../platform/schemas.ts";
import type { StoreError } from "../../platform/stores.ts";
import { textDocument } from "../../psp-check/basis.ts";
import { CheckBudget } from "../../psp-check/check-budget.ts";
import { type ChainChecks, type ChainResult, checkMany } from "../../psp-check/many-checks.ts";
import { registerMaxAges } from "../../registers/manifest.ts";
import { type Asked, describeElement, describeLog, type Jurisdiction } from "./check-answers.ts";
import { refuseCountry } from "./eidas.ts";

/** The console's form takes as many. */
export const MAX_CHECKS = 50;
/** The countries of the EEA, and the United Kingdom. */
const MAX_JURISDICTIONS = 31;
const MAX_ID_CHARACTERS = 128;

/** The elements are validated one by one. */
export const body = once(() =>
  z.object({
    checks: z
      .array(z.unknown(), "is not a list")
      .min(1, "is empty")
      .max(MAX_CHECKS, `has more than ${MAX_CHECKS} elements`),
  }),
);

export const element = once(() =>
  z.object(
    {
      id: optional(text(MAX_ID_CHARACTERS)),
      eIDAS: z.string("is not a string"),
      jurisdictions: z
        .array(z.unknown(), "is not a list")
        .min(1, "is empty")
        .max(MAX_JURISDICTIONS, `has more than ${MAX_JURISDICTIONS} elements`),
    },
    "is not an object",
  ),
);

export const answerPspChecks = steps(validate("json", body), async (c) => {
  const { checks } = c.req.valid("json");
  countAsMore(c, checks.length - 1);
  const [now, version] = [c.get("now"), c.get("version")];
  const asked = checks.map((check, i) => readElement(check, i, now));
  const results = await checkAsked(c, asked);
  const terms = { c, now, version, maxAges: registerMaxAges(c.env) };
  const answers = asked.map((check, i) => describeElement(terms, check, results[i]));
  c.set("checks", describeLog(answers));
  keepAnswers(c, answers);
  return c.json({ data: answers.map(({ sent }) => sent) });
});

/** One bundle for all of them: fifty certificates for 31 jurisdictions have some 1,600 documents. */
function keepAnswers(c: Context<AppEnv>, answers: ReturnType<typeof describeElement>[]): void {
  const kept = textDocument(JSON.stringify({ data: answers.map(({ kept }) => kept) }));
  const checked = answers.flatMap(({ checked }) => checked ?? []);
  c.set("checked", checked);
  c.set("keptAnswer", kept.sha256);
  const name = nameBundle([kept.sha256, ...checked.map(({ basis }) => basis)]);
  const documents = () => [kept, ...answers.flatMap(({ documents }) => documents)];
  keepEvidence(c.env, c.executionCtx, { answer: { name, certificate: null, documents } }, c.get("now"));
}

function readElement(given: unknown, index: number, now: Instant): Asked {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refuse(undefined, [{ code: "checks_invalid", title: `checks[${index}] is not an object` }]);
  const parsed = element().safeParse(given);
  // an id that is valid comes back with other errors, too
  const id = element().shape.id.safeParse(Reflect.get(given, "id")).data;
  if (!parsed.success) return refuse(id, findProblems(parsed.error.issues, given, element()));
  const jurisdictions = parsed.data.jurisdictions.map(readJurisdiction);
  const countries = jurisdictions.flatMap(({ country }) => country ?? []);
  const presented = presentText(parsed.data.eIDAS, countries, now);
  if (!presented.ok)
    return refuse(id, [{ code: "certificate_unreadable", title: `eIDAS is unreadable: ${presented.message}` }]);
  return { ok: true, id, presented, jurisdictions };
}

const refuse = (id: string | undefined, problems: readonly Problem[]): Asked => ({ ok: false, id, problems });

function readJurisdiction(given: unknown): Jurisdiction {
  if (typeof given !== "string")
    return { country: null, problem: { code: "jurisdiction_invalid", title: "jurisdiction is not a string" } };
  const country = readKnownCountry(given);
  return country === null ? { country, problem: refuseCountry(given) } : { country };
}

/** The results of the elements, at their places; equal certificates are checked once. */
async function checkAsked(c: Context<AppEnv>, asked: readonly Asked[]): Promise<(ChainResult | undefined)[]> {
  const now = c.get("now");
  const chains = new Map<string, ChainChecks & { readonly jurisdictions: Set<string> }>();
  for (const check of asked) {
    const countries = check.ok ? check.jurisdictions.flatMap(({ country }) => country ?? []) : [];
    if (!check.ok || countries.length === 0) continue;
    const { key, subject } = check.presented;
    const chain = chains.get(key) ?? { key, subject, jurisdictions: new Set<string>() };
    chains.set(key, chain);
    for (const country of countries) chain.jurisdictions.add(country);
  }
  const wanted = [...chains.values()];
  const [env, ctx] = [c.env, c.executionCtx];
  const { results, documents } = await checkMany({ env, ctx, now }, wanted, new CheckBudget(now), clock);
  keepEvidence(env, ctx, { documents }, now);
  for (const check of asked) if (check.ok) rememberText(check.presented, now);
  requireStores(results);
  wanted.forEach(({ subject }, i) => {
    const result = results[i];
    const [check] = result?.ok ? result.checks.values() : [];
    if (check) noteShown(c, check);
    if (check && "chain" in subject) observeCertificate(env, ctx, subject.chain, check, now);
  });
  const byKey = new Map(wanted.map(({ key }, i) => [key, results[i]]));
  // without a country there is nothing to check
  const nothing: ChainResult = { ok: true, checks: new Map() };
  return asked.map((check) => (check.ok ? (byKey.get(check.presented.key) ?? nothing) : undefined));
}

/** A store that failed for all of them is the failure of the request, which the caller should repeat as a whole. */
function requireStores(results: readonly ChainResult[]): void {
  const failures = results.flatMap((result): StoreError[] =>
    !result.ok && result.reason === "store" ? [result.error] : [],
  );
  const [first] = failures;
  if (first && failures.length === results.length) throw first;
}
