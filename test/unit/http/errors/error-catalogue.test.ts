/** The texts of the error catalogue: each says something of its own, in a few words. */
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../../src/http/endpoints.ts";
import { CATALOGUE } from "../../../../src/http/errors/error-response.ts";
import { type ErrorCode, ENTRIES as EVERY_CODE, HEADINGS } from "../../../../src/http/errors/every-code.ts";
import { describePlaces, findErrorPlaces } from "../../../../src/reference/error-places.ts";
import { parametersOf } from "../../../../src/reference/parameters.ts";
import { OPERATIONS } from "../../../../src/reference/resources.ts";

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
  expect(HEADINGS.flatMap(({ codes }) => codes)).toEqual(Object.keys(EVERY_CODE));
});

test("an answer says the status and the title of the catalogue, of exactly its codes", () => {
  const answered = ENTRIES.map(([code, { statuses, title }]) => [code, { statuses, title }]);
  expect([...CATALOGUE]).toEqual(answered);
});

test("15: the catalogue has the statuses that the document gives a code, which holds what the routes answer", () => {
  const places = findErrorPlaces();
  const said = ENTRIES.flatMap(([code, { statuses }]) => {
    const documented = [...(places.get(code as ErrorCode)?.keys() ?? [])];
    // an element's, in an answer that is 200; what every path may answer
    const own = statuses.filter((status) => status !== 200 && status < 405);
    const isShared = documented.length === 0;
    return isShared || own.toSorted().join() === documented.toSorted().join() ? [] : [{ code, own, documented }];
  });
  expect(said).toEqual([]);
  // of no endpoint or of every one, of version 1.6, of elements of an answer
  const others = ENTRIES.filter(([code]) => !places.has(code as ErrorCode)).map(([code]) => code);
  expect(others).toEqual([
    ...["path_not_found", "method_not_allowed", "jurisdictions_missing", "jurisdictions_invalid", "id_invalid"],
    ...["check_postponed", "records_damaged", "tpp_id_invalid", "psd2_role_invalid"],
    ...["rate_limit_exceeded", "internal_error", "temporarily_unavailable", "answer_withheld"],
  ]);
});

test("15: /errors says where a code has another status", () => {
  const where = describePlaces(findErrorPlaces().get("cursor_invalid"));
  expect(where).toBe("404 at GET /v1/oauth2/account/{account_id}/tokens; 400 elsewhere");
  expect(describePlaces(findErrorPlaces().get("credentials_missing"))).toBe(null);
});

test("a program repeats a request by itself exactly where the cure needs nobody", () => {
  const repeated = ENTRIES.filter(([, { retry }]) => retry !== "never").map(([code, { retry, statuses }]) => ({
    code,
    retry,
    statuses,
  }));
  expect(repeated).toEqual([
    { code: "ccg_token_expired", retry: "now", statuses: [401] },
    { code: "check_postponed", retry: "now", statuses: [200] },
    { code: "rate_limit_exceeded", retry: "after", statuses: [429] },
    { code: "temporarily_unavailable", retry: "after", statuses: [503] },
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
