/** Runs the checks of a form: each PSP's certificate with its issuers, as GET /v1/psp/eidas would. */
import type { Context } from "hono";
import { clock } from "../../clock.ts";
import type { AppEnv } from "../../context.ts";
import { parseEidasHeader } from "../../eidas/eidas-header.ts";
import { noteCertificate } from "../../events/certificates.ts";
import { contextOfChecks } from "../../ledger/kept-documents.ts";
import { noteCheck } from "../../middleware/request-log.ts";
import { type Chain, chainKey } from "../../psp-check/chain.ts";
import { CheckBudget } from "../../psp-check/check-budget.ts";
import { decideOnCheck } from "../../psp-check/decision.ts";
import { checkPsp, checkPspAt, type PspCheck } from "../../psp-check/psp-check.ts";
import { registerMaxAges } from "../../registers/manifest.ts";
import { StoreError } from "../../store-error.ts";
import type { Certificate } from "../../x509/certificate.ts";
import type { PathBudget } from "../../x509/path-budget.ts";
import { findIssuers, readCertificateFile } from "./certificate-file.ts";
import { describeFinding, type Finding, type Found, type Question } from "./finding.ts";

export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Certificates of PSPs in one form; those after them are not checked. */
const MAX_CHECKS = 10;

interface Subject {
  readonly from: string;
  readonly chain: Chain;
}

/** One finding for each PSP's certificate, and one for each file that has none. */
export async function checkFiles(
  c: Context<AppEnv>,
  files: readonly GivenFile[],
  question: Question,
): Promise<Finding[]> {
  const { subjects, unreadable } = gather(files);
  const found = await checkAll(c, subjects.slice(0, MAX_CHECKS), question);
  const left = subjects.slice(MAX_CHECKS).map(({ from }) => ({
    ...{ ok: false as const, from },
    message: `Not checked: at most ${MAX_CHECKS} PSPs are checked at once.`,
  }));
  return [...found, ...left, ...unreadable];
}

/** The same certificates again. */
export const checkAgain = (c: Context<AppEnv>, findings: readonly Found[], question: Question): Promise<Finding[]> =>
  checkAll(
    c,
    findings.flatMap(({ from, certificate }) => {
      const chain = parseEidasHeader(certificate.header);
      return chain.ok ? [{ from, chain }] : [];
    }),
    question,
  );

/** Issuers count for every file: they are often files of their own. */
function gather(files: readonly GivenFile[]): { subjects: readonly Subject[]; unreadable: readonly Finding[] } {
  const read = files.map(({ name, bytes }) => ({ from: name, file: readCertificateFile(bytes) }));
  const issuers = new Map<string, Certificate>();
  for (const { file } of read) for (const each of file.ok ? file.issuers : []) issuers.set(each.fingerprint, each);
  const all = [...issuers.values()];
  const subjects = new Map<string, Subject>();
  const add = (from: string, leaf: Certificate) => {
    const chain = { leaf, issuers: findIssuers(leaf, all) };
    const key = chainKey(chain);
    if (!subjects.has(key)) subjects.set(key, { from, chain });
  };
  for (const { from, file } of read) if (file.ok) for (const own of file.own) add(from, own);
  // issuers alone: what is wrong with each is said by its check
  if (subjects.size === 0)
    for (const { from, file } of read)
      if (file.ok)
        for (const leaf of file.issuers) subjects.set(leaf.fingerprint, { from, chain: { leaf, issuers: [] } });
  const unreadable = read.flatMap(({ from, file }) =>
    file.ok ? [] : [{ ok: false as const, from, message: `The file cannot be read: ${file.message}.` }],
  );
  return { subjects: [...subjects.values()], unreadable };
}

/** One after another, within the work that one request may cause (psp-check/check-budget.ts). */
async function checkAll(c: Context<AppEnv>, subjects: readonly Subject[], question: Question): Promise<Finding[]> {
  const budget = new CheckBudget(c.var.now);
  const maxAges = registerMaxAges(c.env);
  const findings: Finding[] = [];
  c.set("jurisdiction", question.jurisdiction);
  for (const { from, chain } of subjects) {
    const begun = budget.begin(chain, clock.now());
    if (!begun) {
      findings.push({ ok: false, from, message: "Not checked: the others took too long. Check it by itself." });
      continue;
    }
    try {
      const check = await checkOne(c, chain, question, begun.path);
      const decision = decideOnCheck(check, question.jurisdiction, question.at, maxAges);
      if (subjects.length === 1) noteCheck(c, check, decision);
      if (question.at === question.now) noteCertificate(c.env, c.executionCtx, chain, check, question.now);
      findings.push(describeFinding(from, chain, check, question, maxAges));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      console.error(JSON.stringify({ request_id: c.var.requestId, error: error.message }));
      findings.push({ ok: false, from, message: "Not checked: a store of this service cannot be reached. Try again." });
    } finally {
      begun.end();
    }
  }
  return findings;
}

function checkOne(
  { env, executionCtx }: Context<AppEnv>,
  chain: Chain,
  { jurisdiction, now, at }: Question,
  budget: PathBudget,
): Promise<PspCheck> {
  // no record is made here, but a request that leaves one may find this check in the isolate
  const ctx = contextOfChecks(env, executionCtx, now);
  return at === now
    ? checkPsp(env, ctx, chain, jurisdiction, now, null, budget)
    : checkPspAt(env, ctx, chain, jurisdiction, { now, at }, budget);
}
