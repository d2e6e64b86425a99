/**
 * `npm run conformance -- FILE... [--json OUT]`: runs suites that others made against the service's own code. Prints per
 * suite what passed, failed and does not apply, and where the service differs on purpose, with each reason. Exits with 1
 * when anything failed, with 2 when a file is no suite.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import * as z from "zod";
import { clock } from "../../src/platform/clock.ts";
import { certificateSuites } from "./certificates.ts";
import { ebaSuites } from "./eba.ts";
import { failNeedless, judgeCase } from "./exceptions.ts";
import { numberSuites } from "./numbers.ts";
import { pathSuites } from "./path.ts";
import { revocationSuites } from "./revocation.ts";
import type { CaseResult, SuiteCase, SuiteFile, SuiteKind } from "./suite.ts";
import { trustedListSuites } from "./trusted-lists.ts";

const KINDS: readonly SuiteKind[] = [
  pathSuites,
  revocationSuites,
  trustedListSuites,
  certificateSuites,
  ebaSuites,
  numberSuites,
];

const LABELS = { fail: "failed", "not-applicable": "not applicable", exception: "exception" } as const;

const USAGE = "usage: npm run conformance -- FILE... [--json OUT]";

const { values, positionals } = parseArgs({ options: { json: { type: "string" } }, allowPositionals: true });
if (positionals.length === 0) quit(USAGE);
const started = clock.now();
const suites = await Promise.all(positionals.map(readSuite));
const results: CaseResult[] = [];
for (const { path, kind, cases } of suites) {
  const judged: CaseResult[] = [];
  for (const each of cases) judged.push(await runCase(each));
  const found = failNeedless(judged);
  report(path, kind, found);
  results.push(...found);
}
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = results.some(({ outcome }) => outcome === "fail") ? 1 : 0;

async function readSuite(path: string): Promise<{ path: string; kind: SuiteKind; cases: readonly SuiteCase[] }> {
  const bytes = await readFile(path).catch((error: Error) => quit(error.message));
  const file: SuiteFile = { path, bytes, json: parseJson(bytes.toString("utf8")) };
  const kind = KINDS.find((each) => each.recognises(file));
  if (!kind) return quit(`${path}: not a suite of a known form (known: ${KINDS.map(({ name }) => name).join(", ")})`);
  try {
    return { path, kind, cases: kind.read(file, started) };
  } catch (error) {
    const message = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    return quit(`${path}: a malformed suite of the form "${kind.name}":\n${message}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function runCase(each: SuiteCase): Promise<CaseResult> {
  try {
    return judgeCase(each, await each.run());
  } catch (error) {
    // whatever was thrown, the case has failed, and the others still count
    const { id, expected } = each;
    return {
      id,
      expected,
      actual: "error",
      outcome: "fail",
      reason: error instanceof Error ? error.message : String(error),
    };
  }
}

function report(path: string, kind: SuiteKind, found: readonly CaseResult[]): void {
  const count = (outcome: CaseResult["outcome"]) => found.filter((each) => each.outcome === outcome).length;
  console.log(
    `${path} (${kind.name}): ${count("pass")} passed, ${count("fail")} failed, ` +
      `${count("not-applicable")} not applicable, ${count("exception")} exceptions`,
  );
  for (const { id, expected, actual, reason, outcome } of found)
    if (outcome !== "pass") console.log(`  ${LABELS[outcome]} ${id}: expected ${expected}, got ${actual} (${reason})`);
  if (kind.summary) console.log(`  ${kind.summary(found)}`);
}

function quit(message: string): never {
  console.error(message);
  process.exit(2);
}
