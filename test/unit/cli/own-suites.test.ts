/**
 * Runs the repo's own suites (fixtures/suites) case by case with the code of `npm run conformance`. A refusal must also
 * give the reason that the case is about, so that no case passes because of another rule.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeSuites } from "../../../fixtures/make-suites.ts";
import { toLimbo } from "../../../fixtures/suites/paths/path-case.ts";
import { PATHS } from "../../../fixtures/suites/paths/path-suite.ts";
import { type AnswerSuite, toJson } from "../../../fixtures/suites/revocation/answer-case.ts";
import { CRLS } from "../../../fixtures/suites/revocation/crl-suite.ts";
import { OCSP, OCSP_AGE } from "../../../fixtures/suites/revocation/ocsp-suite.ts";
import { certificateSuites } from "../../conformance/certificates.ts";
import { ebaSuites } from "../../conformance/eba.ts";
import { judgeCase } from "../../conformance/exceptions.ts";
import { pathSuites } from "../../conformance/path.ts";
import { revocationSuites } from "../../conformance/revocation.ts";
import type { SuiteCase, SuiteFile, SuiteKind } from "../../conformance/suite.ts";
import { trustedListSuites } from "../../conformance/trusted-lists.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const folder = mkdtempSync(join(tmpdir(), "own-suites-"));
afterAll(() => rmSync(folder, { recursive: true }));
await makeSuites(folder);

const inMemory = (json: unknown): SuiteFile => ({ path: "", bytes: new Uint8Array(), json });
const written = (name: string): SuiteFile => {
  const path = join(folder, name);
  return { path, bytes: readFileSync(path), json: JSON.parse(readFileSync(path, "utf8")) };
};
const read = (kind: SuiteKind, file: SuiteFile): readonly SuiteCase[] => kind.read(file, NOW);
const distinct = (ids: readonly string[]) => expect(new Set(ids).size).toBe(ids.length);

describe("paths", () => {
  const cases = read(pathSuites, inMemory({ testcases: PATHS.map(toLimbo) }));

  test.each(PATHS.map((one, i) => ({ ...one, run: cases[i]?.run })))("$id", async ({ refused, run }) => {
    const answer = await run?.();
    expect(answer?.reason).toMatch(refused ?? /^the path is valid$/);
    expect(answer?.accepted).toBe(refused === undefined);
  });

  test("each has a name of its own", () => distinct(PATHS.map(({ id }) => id)));
});

const answers: [name: string, suite: AnswerSuite][] = [
  ["OCSP answers", OCSP],
  ["the age of OCSP answers", OCSP_AGE],
  ["CRLs", CRLS],
];
describe.each(answers)("%s", (_, suite) => {
  const cases = read(revocationSuites, inMemory(toJson(suite)));

  test.each(suite.cases.map((one, i) => ({ ...one, run: cases[i]?.run })))("$id", async ({ expected, run }) => {
    const answer = await run?.();
    if (typeof expected === "string") expect(answer).toMatchObject({ accepted: true, reason: `it says ${expected}` });
    else expect(answer).toMatchObject({ accepted: false, reason: expect.stringMatching(expected) });
  });

  test("each has a name of its own", () => distinct(suite.cases.map(({ id }) => id)));
});

const files: [name: string, kind: SuiteKind, file: string][] = [
  ["trusted lists", trustedListSuites, "trusted-lists/expected.json"],
  ["certificates", certificateSuites, "certificates/index.json"],
  ["EBA authorisations", ebaSuites, "eba/authorisation-cases.json"],
];
describe.each(files)("%s", (_, kind, name) => {
  const cases = read(kind, written(name));

  test.each(cases)("$id", async (one) => {
    expect(judgeCase(one, await one.run())).toMatchObject({ outcome: "pass" });
  });
});

test("a list that is refused by another rule than the one named fails", async () => {
  const file = written("trusted-lists/expected.json");
  const [first] = (file.json as { reason?: string }[]).filter(({ reason }) => reason === "digest");
  const [one] = read(trustedListSuites, { ...file, json: [{ ...first, reason: "algorithm", listOfLists: false }] });
  if (!one) throw new Error("one case is made");
  expect(judgeCase(one, await one.run())).toMatchObject({ outcome: "fail", actual: "refused by another rule" });
});
