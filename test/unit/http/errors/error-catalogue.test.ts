/** The texts of the error catalogue: each says something of its own, in a few words. */
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../../src/http/endpoints.ts";
import { CATALOGUE } from "../../../../src/http/errors/error-response.ts";
import { ENTRIES as EVERY_CODE, SECTIONS } from "../../../../src/http/errors/every-code.ts";
import { OPERATIONS } from "../../../../src/reference/operations.ts";
import { parametersOf } from "../../../../src/reference/parameters.ts";

const ENTRIES = Object.entries(EVERY_CODE);

const FIELDS = ["title", "rule", "cause", "cure", "example"] as const;
const texts = (field: (typeof FIELDS)[number], of: (text: string, code: string) => string) =>
  ENTRIES.map(([code, entry]) => of(entry[field], code));
const repeated = (texts: readonly string[]) => texts.filter((text, i) => texts.indexOf(text) < i);

describe.each(FIELDS)("%s", (field) => {
  test("is there, and short", () => {
    for (const [code, entry] of ENTRIES)
      expect([code, entry[field]]).toEqual([code, expect.stringMatching(/^.{5,300}$/)]);
  });

  test("is the same of no two codes", () => {
    expect(repeated(texts(field, (text) => text))).toEqual([]);
  });
});

test.each(["rule", "cause", "cure"] as const)("no %s is another's with the name exchanged", (field) => {
  const nameless = (text: string, code: string) => text.replaceAll(code.replace(/_(?:missing|invalid)$/, ""), "#");
  expect(repeated(texts(field, nameless))).toEqual([]);
});

test("sentences end with a point, titles do not", () => {
  for (const [code, { title, rule, cause, cure }] of ENTRIES) {
    expect([code, title]).toEqual([code, expect.stringMatching(/[^.]$/)]);
    for (const text of [rule, cause, cure]) expect([code, text]).toEqual([code, expect.stringMatching(/\.$/)]);
  }
});

test("every code is in one section of the page", () => {
  expect(SECTIONS.flatMap(({ codes }) => codes)).toEqual(Object.keys(EVERY_CODE));
});

test("an answer says the status and the title of the catalogue, of exactly its codes", () => {
  const answered = ENTRIES.map(([code, { statuses, title }]) => [code, { statuses, title }]);
  expect([...CATALOGUE]).toEqual(answered);
});

test("a program repeats a request by itself exactly where the cure needs nobody", () => {
  const repeated = ENTRIES.filter(([, { retry }]) => retry !== "never").map(([code, { retry, statuses }]) => ({
    code,
    retry,
    statuses,
  }));
  expect(repeated).toEqual([
    { code: "ccg_token_expired", retry: "now", statuses: [401] },
    { code: "rate_limit_exceeded", retry: "after", statuses: [429] },
    { code: "temporarily_unavailable", retry: "after", statuses: [503] },
    { code: "check_postponed", retry: "now", statuses: [200] },
  ]);
});

test("what only the service can end is the service's, and nothing else is", () => {
  for (const [code, { whose, statuses }] of ENTRIES)
    expect([code, whose === "service"]).toEqual([code, statuses[0] >= 500]);
});

test("the rule of limit has the most of every list that takes one", () => {
  const limits = ENDPOINTS.flatMap((endpoint) => {
    const operation = OPERATIONS[`${endpoint.method} ${endpoint.path}`];
    const parameters = operation ? parametersOf(endpoint, operation) : [];
    return parameters.flatMap((each) => ("name" in each && each.name === "limit" ? [each.schema] : []));
  });
  expect(limits).toHaveLength(3);
  for (const limit of limits)
    expect(EVERY_CODE.limit_invalid.rule).toContain(`1 to ${(limit as { maximum: number }).maximum} `);
});
