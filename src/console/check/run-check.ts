/** Runs the checks of a form: each PSP's certificate with its issuers, as GET /v1/psp/eidas would. */

import type { Context } from "hono";
import { parseEidasHeader } from "../../eidas/eidas-header.ts";
import { observeCertificate } from "../../events/observations.ts";
import { keepEvidence } from "../../evidence/ledger/kept-documents.ts";
import { makeRecordId } from "../../grants/record-order.ts";
import type { AppEnv, FormCheck } from "../../http/context.ts";
import { describeChecked, keepAnswer, noteCheck, noteShown } from "../../http/middleware/noted-check.ts";
import { clock, writeRequestTime } from "../../platform/clock.ts";
import { StoreError } from "../../platform/stores.ts";
import { type Chain, CheckBudget, chainKey, NoCallsLeft } from "../../psp-check/check-budget.ts";
import { type Decision, decideOnCheck, outcomeOf } from "../../psp-check/decision.ts";
import { type CheckLimits, checkPsp, checkPspAt, type PspCheck } from "../../psp-check/psp-check.ts";
import { registerMaxAges } from "../../registers/manifest.ts";
import { MAX_CHECKS } from "../../routes/psp/checks.ts";
import type { Certificate } from "../../x509/certificate.ts";
import { findIssuers, readCertificateFile } from "./certificate-file.ts";
import { type CheckResult, describeFinding, type Finding, type Question } from "./kept-checks.ts";

export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface Subject {
  /** The file's name; of a certificate that came again, with the other files' names. */
  readonly from: string;
  readonly files?: readonly string[];
  readonly chain: Chain;
}

/** Names of the other files with the same certificate that a row says. */
const MAX_NAMED = 3;

/** Each is checked once: its report names the files. */
function nameFiles([first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  const left = others.length - MAX_NAMED;
  const more = left > 0 ? ` and ${left} more ${left === 1 ? "file" : "files"}` : "";
  return `${first}; the same certificate is in ${others.slice(0, MAX_NAMED).join(", ")}${more}`;
}

/** One finding for each PSP's certificate, and one for each file that has none. Those after {@link MAX_CHECKS} are named, not checked. */
export async function checkFiles(
  c: Context<AppEnv>,
  files: readonly GivenFile[],
  question: Question,
): Promise<Finding[]> {
  const { subjects, unreadable } = gather(files);
  const findings = await checkAll(c, subjects.slice(0, MAX_CHECKS), question);
  const left = subjects.slice(MAX_CHECKS).map(({ chain: _, ...subject }) => ({
    ...{ ok: false as const, ...subject },
    message: `Not checked: at most ${MAX_CHECKS} PSPs are checked at once.`,
  }));
  return [...findings, ...left, ...unreadable];
}

/** The same certificates again. */
export const checkAgain = (
  c: Context<AppEnv>,
  findings: readonly CheckResult[],
  question: Question,
): Promise<Finding[]> =>
  checkAll(
    c,
    findings.flatMap(({ from, files, certificate }) => {
      const chain = parseEidasHeader(certificate.header);
      return chain.ok ? [{ from, ...(files && { files }), chain }] : [];
    }),
    question,
  );

/** Issuers count for every file: they are often files of their own. */
function gather(files: readonly GivenFile[]): { subjects: readonly Subject[]; unreadable: readonly Finding[] } {
  const read = files.map(({ name, bytes }) => ({ from: name, file: readCertificateFile(bytes) }));
  const issuers = new Map<string, Certificate>();
  for (const { file } of read)
    for (const issuer of file.ok ? file.issuers : []) issuers.set(issuer.fingerprint, issuer);
  const all = [...issuers.values()];
  const subjects = new Map<string, { readonly chain: Chain; readonly files: Set<number> }>();
  const add = (file: number, chain: Chain) => {
    const key = chainKey(chain);
    const known = subjects.get(key) ?? { chain, files: new Set() };
    subjects.set(key, known);
    known.files.add(file);
  };
  for (const [i, { file }] of read.entries())
    if (file.ok) for (const leaf of file.own) add(i, { leaf, issuers: findIssuers(leaf, all) });
  // issuers alone: what is wrong with each is said by its check
  if (subjects.size === 0)
    for (const [i, { file }] of read.entries())
      if (file.ok) for (const leaf of file.issuers) add(i, { leaf, issuers: [] });
  const unreadable = read.flatMap(({ from, file }) =>
    file.ok ? [] : [{ ok: false as const, from, message: `The file cannot be read: ${file.message}.` }],
  );
  const named = [...subjects.values()].map(({ chain, files: places }) => {
    const files = [...places].map((file) => read[file]?.from ?? "");
    return { chain, files, from: nameFiles(files) };
  });
  return { subjects: named, unreadable };
}

/** One after another, within the work that one request may cause (psp-check/check-budget.ts). */
async function checkAll(c: Context<AppEnv>, subjects: readonly Subject[], question: Question): Promise<Finding[]> {
  const { jurisdiction, bankPassports = null } = question;
  const budget = new CheckBudget(c.var.now);
  const maxAges = registerMaxAges(c.env);
  const findings: Finding[] = [];
  const records: FormCheck[] = [];
  c.set("formChecks", records);
  c.set("jurisdiction", jurisdiction);
  for (const { chain, ...subject } of subjects) {
    const begun = budget.begin(chain, clock.now());
    if (!begun) {
      findings.push(postponed(subject));
      continue;
    }
    try {
      const check = await checkOne(c, chain, question, begun);
      const decision = decideOnCheck(check, { jurisdiction, bankPassports }, question.at, maxAges);
      if (subjects.length === 1) noteCheck(c, check, decision);
      else noteShown(c, check);
      if (question.at === question.now) observeCertificate(c.env, c.executionCtx, chain, check, question.now);
      const result = describeFinding(subject, chain, check, decision, question, maxAges);
      const record = recordFound(c, check, decision, result, question);
      records.push(record);
      findings.push(c.env.LEDGER_RECORDS === "off" ? result : { ...result, evidenceId: record.id });
    } catch (error) {
      if (error instanceof NoCallsLeft) {
        findings.push(postponed(subject));
        continue;
      }
      if (!(error instanceof StoreError)) throw error;
      console.error(JSON.stringify({ request_id: c.var.requestId, error: error.message }));
      records.push({ ...asAsked(question), outcome: "temporarily_unavailable", psp: null, checks: [], answer: null });
      findings.push({
        ...{ ok: false, ...subject },
        message: "Not checked: a store of this service cannot be reached. Try again.",
      });
    } finally {
      begun.end();
    }
  }
  return findings;
}

const postponed = (subject: Omit<Subject, "chain">): Finding => ({
  ...{ ok: false, ...subject, message: "Not checked: the others took too long. Check it by itself." },
});

/** What its record says that others of the form do not. What it is based on is kept with it. */
function recordFound(
  c: Context<AppEnv>,
  check: PspCheck,
  decision: Decision,
  { answer }: CheckResult,
  question: Question,
): FormCheck {
  const { jurisdiction } = question;
  const checked = describeChecked(check, [decision], [jurisdiction]);
  return {
    ...asAsked(question),
    ...{ outcome: outcomeOf(check), psp: checked.psp, checks: [checked] },
    answer: keepAnswer(c, check, answer),
  };
}

const asAsked = ({ now, at }: Question): Pick<FormCheck, "id" | "version" | "as_of"> => ({
  ...{ id: makeRecordId(now), version: "latest" },
  ...(at !== now && { as_of: writeRequestTime(at) }),
});

/** What its checks are based on is kept with the record. */
async function checkOne(
  { env, executionCtx: ctx }: Context<AppEnv>,
  chain: Chain,
  { jurisdiction, now, at }: Question,
  limits: CheckLimits,
): Promise<PspCheck> {
  const question = { env, ctx, chain, jurisdiction, now, limits };
  const today = await checkPsp(question);
  keepEvidence(env, ctx, today, now);
  if (at === now) return today.check;
  const then = await checkPspAt(question, at);
  keepEvidence(env, ctx, then, now);
  return then.check;
}
