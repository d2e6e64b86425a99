/** The texts of the error catalogue: each says something of its own, in a few words. */
import { describe, expect, test } from "vitest";
import { CATALOGUE, SECTIONS } from "../../src/error-catalogue.ts";

const FIELDS = ["title", "rule", "cause", "cure", "example"] as const;
const texts = (field: (typeof FIELDS)[number], of: (text: string, code: string) => string) =>
  [...CATALOGUE].map(([code, entry]) => of(entry[field], code));
const repeated = (texts: readonly string[]) => texts.filter((text, i) => texts.indexOf(text) < i);

describe.each(FIELDS)("%s", (field) => {
  test("is there, and short", () => {
    for (const [code, entry] of CATALOGUE)
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
  for (const [code, { title, rule, cause, cure }] of CATALOGUE) {
    expect([code, title]).toEqual([code, expect.stringMatching(/[^.]$/)]);
    for (const text of [rule, cause, cure]) expect([code, text]).toEqual([code, expect.stringMatching(/\.$/)]);
  }
});

test("every code is in one section of the page", () => {
  expect(SECTIONS.flatMap(({ codes }) => codes)).toEqual([...CATALOGUE.keys()]);
});
