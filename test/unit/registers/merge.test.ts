/** The rules of src/registers/merge.ts, one line each. */
import { describe, expect, test } from "vitest";
import { describeDisagreement, mergeCategories, type SourceReading } from "../../../src/registers/merge.ts";
import type { CategoryRecord, PspRecord } from "../../../src/registers/psp-record.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const FR = { country: "FR", isHome: true, now: NOW };

const category = (more: Partial<CategoryRecord> = {}): CategoryRecord => ({
  ...{ category: "Payment Institution", legalName: "Example SA", status: "Authorised", services: [7, 8] },
  ...{ passportOut: { DE: [7, 8] }, ...more },
});
const psp = (...categories: CategoryRecord[]): PspRecord => ({
  ...{ authNumber: "PSDFR-ACPR-100000009", agent: false, categories },
});
const from = (
  source: SourceReading["source"],
  its: PspRecord | null,
  more: Partial<SourceReading> = {},
): SourceReading => ({ source, psp: its, linked: false, ...more });
const nca = (record: Partial<CategoryRecord>, more: Partial<SourceReading> = {}) =>
  from("nca", psp(category(record)), more);
const eba = (record: Partial<CategoryRecord> = {}) => from("eba", psp(category(record)));

/** What counts, and who says what for a PSP that needs a passport to Germany. */
function merged(sources: SourceReading[], register = FR) {
  return mergeCategories(sources, register).map(({ source, record, statements = [] }) => ({
    ...{ source, status: record.status, services: record.services, DE: record.passportOut["DE"] ?? [] },
    ...(record.established && { established: record.established }),
    said: describeDisagreement(statements, "DE"),
  }));
}
const ALL = { source: "nca", status: "Authorised", services: [7, 8], DE: [7, 8], said: [] };

describe("of a category in two sources", () => {
  test.each<[string, SourceReading[], object]>([
    ["both agree", [nca({}), eba()], ALL],
    ["the days of one say what the word of the other does", [nca({}), eba({ status: ["2019-01-01"] })], ALL],
    [
      "one is withdrawn in the first",
      [nca({ status: "Withdrawn" }), eba()],
      { ...ALL, status: "Withdrawn", said: ["nca says Withdrawn", "eba says Authorised"] },
    ],
    [
      "one is withdrawn in the second, by its days",
      [nca({}), eba({ status: ["2019-01-01", "2026-11-21"] })],
      { ...ALL, status: "Withdrawn", said: ["nca says Authorised", "eba says Withdrawn"] },
    ],
    [
      "the first documents no status",
      [nca({ status: null }), eba()],
      { ...ALL, status: null, said: ["nca says no status", "eba says Authorised"] },
    ],
    [
      "one gives fewer services",
      [nca({ services: [1, 7] }), eba()],
      { ...ALL, services: [7], said: ["nca says services 1, 7", "eba says services 7, 8"] },
    ],
    ["the first lacks services", [nca({ services: [] }, { lacks: ["services"] }), eba()], ALL],
    [
      "one gives fewer passports",
      [nca({ passportOut: {} }), eba()],
      { ...ALL, DE: [], said: ["nca says passport to DE for none", "eba says passport to DE for 7, 8"] },
    ],
    ["the first lacks passports", [nca({ passportOut: {} }, { lacks: ["passports"] }), eba()], ALL],
    [
      "a passport of one is a branch of the other: both are ways",
      [nca({ passportOut: { DE: [7] } }), eba({ passportOut: {}, established: { DE: [7, 8] } })],
      {
        ...{ ...ALL, DE: [7], established: { DE: [7] } },
        said: ["nca says passport to DE for 7", "eba says passport to DE for 7, 8"],
      },
    ],
    ["they differ on passports to another country", [nca({ passportOut: { DE: [7, 8], ES: [7] } }), eba()], ALL],
    [
      "they differ in all",
      [nca({ status: "Unauthorised", services: [8], passportOut: {} }), eba()],
      {
        ...{ source: "nca", status: "Unauthorised", services: [8], DE: [] },
        said: [
          "nca says Unauthorised, services 8, passport to DE for none",
          "eba says Authorised, services 7, 8, passport to DE for 7, 8",
        ],
      },
    ],
  ])("%s", (_, sources, expected) => {
    expect(merged(sources)).toEqual([expected]);
  });
});

describe("who is missing in one source", () => {
  const MISSING = from("nca", null, { whole: ["Payment Institution"] });
  test.each<[string, SourceReading[], string, string[]]>([
    ["is there in the other", [from("nca", null), eba()], "Authorised", []],
    [
      "has no authorisation if it is whole",
      [MISSING, eba()],
      "Unauthorised",
      ["eba says Authorised", "nca says Not listed"],
    ],
    ["is not missing under another number", [{ ...MISSING, linked: true }, eba()], "Authorised", []],
    ["has one in a category of which it has not all", [MISSING, eba({ category: "AISP" })], "Authorised", []],
  ])("%s", (_, sources, status, said) => {
    expect(merged(sources)).toMatchObject([{ status, said }]);
  });
  test("is no contradiction in another country's register", () => {
    expect(merged([MISSING, eba()], { ...FR, isHome: false })).toMatchObject([{ status: "Authorised", said: [] }]);
  });
});

describe("a change of legal form", () => {
  const changed = psp(
    category({ status: "Withdrawn", services: [] }),
    category({ category: "E-Money Institution", services: [] }),
  );
  test("is no withdrawal where the register has no services", () => {
    const [old, fresh] = merged([from("nca", changed, { lacks: ["services"] }), eba()]);
    expect(old).toEqual(ALL);
    expect(fresh).toMatchObject({ status: "Authorised", services: [] });
  });
  test("leaves the new category with its own services where it has them", () => {
    expect(merged([from("nca", changed), eba()])).toMatchObject([{ status: "Withdrawn" }, { status: "Authorised" }]);
  });
  test.each<[string, PspRecord]>([
    [
      "to a lesser licence",
      psp(category({ status: "Withdrawn" }), category({ category: "AISP", status: "Registered" })),
    ],
    [
      "to one that is withdrawn, too",
      psp(category({ status: "Withdrawn" }), category({ category: "E-Money Institution", status: "Withdrawn" })),
    ],
  ])("%s is a withdrawal", (_, its) => {
    expect(merged([from("nca", its, { lacks: ["services"] }), eba()])[0]).toMatchObject({ status: "Withdrawn" });
  });
  test("that all sources end is a withdrawal", () => {
    const without = { lacks: ["services"] } as const;
    const sources = [from("nca", changed, without), from("eba", changed, without)];
    expect(merged(sources)[0]).toMatchObject({ status: "Withdrawn", said: [] });
  });
});

test("each category counts once, of institutions before agents", () => {
  const agent = { ...psp(category()), agent: true };
  expect(merged([from("nca", agent), eba({ category: "AISP", status: "Registered" })])).toMatchObject([
    { source: "eba", status: "Registered", said: [] },
  ]);
  const two = merged([nca({ category: "Credit Institution" }), eba()]);
  expect(two.map(({ source }) => source)).toEqual(["nca", "eba"]);
});

test("passports are not published where none of its sources publishes them", () => {
  const bank = psp(category({ category: "Credit Institution", services: [], passportOut: {} }));
  const banks = from("credit-institutions", bank);
  const published = (...sources: SourceReading[]) => mergeCategories(sources, FR).map(({ passports }) => passports);
  expect(published(banks)).toEqual(["not published"]);
  expect(published(from("nca", bank, { lacks: ["passports"] }), banks)).toEqual(["not published"]);
  expect(published(from("nca", bank), banks)).toEqual([undefined]);
});
