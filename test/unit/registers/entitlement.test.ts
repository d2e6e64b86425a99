import { expect, test } from "vitest";
import {
  type EntitlementRefusal,
  explainRefusal,
  findEntitlementRefusals,
} from "../../../src/registers/entitlement.ts";
import type { RegisterReading } from "../../../src/registers/lookup.ts";
import { listPassports } from "../../../src/registers/passport.ts";
import type { AuthorisationStatus, CategoryRecord } from "../../../src/registers/psp-record.ts";
import { AgentRoll, type Register } from "../../../src/registers/register.ts";
import { readingOf } from "./reading-of.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

const given = (
  category: CategoryRecord["category"],
  status: AuthorisationStatus | null | string[],
  services: number[],
): CategoryRecord => ({ category, legalName: "Example Ltd", status, services, passportOut: {} });

function reading(categories: CategoryRecord[], more: Partial<Register> = {}): RegisterReading {
  const psps = categories.length > 0 ? [{ authNumber: "PSDXX-TEST-1", agent: false, categories }] : [];
  const register: Register = {
    ...{ country: "XX", source: "nca", ncaId: "XX-TEST", ncaName: "XX Authority", published: "2026-11-01T00:00:00Z" },
    ...{ psps, agents: new AgentRoll(), refused: [] },
    ...more,
  };
  return readingOf([register], "XX", "PSDXX-TEST-1");
}

const PI = "Payment Institution";
const twins = ["PSDXX-TEST-1-", "PSDXX-TEST- 1"].map((authNumber) => ({
  ...{ authNumber, agent: false, categories: [given(PI, "Authorised", [7])] },
}));

/** The same letters and digits as PSDXX-TEST-1, which has no entry. */
const otherNcas = ["PSDXX-TES-T1", "PSDXX-T-EST-1"].map((authNumber) => ({
  ...{ authNumber, agent: false, categories: [given(PI, "Authorised", [7])] },
}));

const refusals: [string, RegisterReading, EntitlementRefusal][] = [
  ["no register of the country", readingOf([], "XX", "PSDXX-TEST-1"), "register_not_loaded"],
  ["two entries that fit", reading([], { psps: twins }), "register_ambiguous"],
  ["no entry", reading([]), "not_in_register"],
  ["an entry of another NCA", reading([], { psps: otherNcas }), "not_in_register"],
  ["another service", reading([given(PI, "Authorised", [8])]), "service_not_in_register"],
  ["a withdrawn category", reading([given(PI, "Withdrawn", [7])]), "authorisation_withdrawn"],
  ["a day of withdrawal past", reading([given(PI, ["2020-01-01", "2026-11-21"], [7])]), "authorisation_withdrawn"],
  ["an unauthorised category", reading([given(PI, "Unauthorised", [7])]), "unauthorised"],
  ["a category without status", reading([given(PI, null, [7])]), "status_not_documented"],
  ["an undocumented category", reading([given(null, "Authorised", [7])]), "status_not_documented"],
  ["a branch", reading([given("Branch", "Authorised", [7])]), "status_not_documented"],
  ["an excluded provider", reading([given("Excluded from PSD2", ["2020-01-01"], [7])]), "outside_psd2"],
  [
    "one that national law entitles",
    reading([given("Entitled under national law", "Authorised", [7])]),
    "outside_psd2",
  ],
  [
    "one that is excluded, and withdrawn as an institution",
    reading([given("Excluded from PSD2", null, []), given(PI, "Withdrawn", [7])]),
    "authorisation_withdrawn",
  ],
  [
    "the service in a withdrawn category only, beside an authorised one",
    reading([given(PI, "Withdrawn", [7]), given("E-Money Institution", "Authorised", [8])]),
    "authorisation_withdrawn",
  ],
  ["a withdrawn category that lists no service", reading([given(PI, "Withdrawn", [])]), "authorisation_withdrawn"],
];

test.each(refusals)("%s does not entitle to payments", (_, read, reason) => {
  expect(findEntitlementRefusals(read, "payments", null, NOW)).toEqual([reason]);
  expect(explainRefusal(reason, "PSDXX-TEST-1", "payments", null, read)).toContain("PSDXX-TEST-1");
});

const grants: [string, RegisterReading][] = [
  ["an authorised category", reading([given(PI, "Authorised", [8])])],
  ["a registered one", reading([given("AISP", "Registered", [8])])],
  ["one of several", reading([given(PI, "Withdrawn", [8]), given("AISP", "Registered", [8])])],
  ["a credit institution without listed services", reading([given("Credit Institution", "Authorised", [])])],
  ["the day before a withdrawal", reading([given(PI, ["2020-01-01", "2026-11-22"], [8])])],
];

test.each(grants)("%s entitles to accounts", (_, read) => {
  expect(findEntitlementRefusals(read, "accounts", null, NOW)).toEqual([]);
});

test.each<[what: string, passportOut: CategoryRecord["passportOut"], jurisdiction: string, EntitlementRefusal[]]>([
  ["the home country needs no passport", {}, "XX", []],
  ["another needs one", {}, "XY", ["service_not_passported"]],
  ["one for the service is enough", { XY: [7] }, "XY", []],
  ["one for another service is not", { XY: [8] }, "XY", ["service_not_passported"]],
  ["one to another country is not", { XZ: [7] }, "XY", ["service_not_passported"]],
])("of an entitled PSP's passports: %s", (_, passportOut, jurisdiction, expected) => {
  const read = reading([{ ...given(PI, "Authorised", [7]), passportOut }]);
  expect(findEntitlementRefusals(read, "payments", jurisdiction, NOW)).toEqual(expected);
});

test.each<[what: string, record: Partial<CategoryRecord>, EntitlementRefusal[]]>([
  ["an active branch is enough", { established: { XY: [7] } }, []],
  ["one for another service is not", { established: { XY: [8] } }, ["service_not_passported"]],
  ["one elsewhere is not", { established: { XZ: [7] } }, ["service_not_passported"]],
  ["either way suffices", { established: { XY: [8] }, passportOut: { XY: [7] } }, []],
  [
    "that of a withdrawn parent is none",
    { status: "Withdrawn", established: { XY: [7] } },
    ["authorisation_withdrawn"],
  ],
])("of branches: %s", (_, record, expected) => {
  const read = reading([{ ...given(PI, "Authorised", [7]), ...record }]);
  expect(findEntitlementRefusals(read, "payments", "XY", NOW)).toEqual(expected);
});

test.each<[home: string, country: string, at: string, passports: number]>([
  ["GB", "FR", "2020-12-31T23:59:59.999Z", 2],
  ["GB", "FR", "2021-01-01T00:00:00Z", 0],
  ["FR", "GB", "2020-12-31T23:59:59.999Z", 2],
  ["FR", "GB", "2026-11-21T12:00:00Z", 0],
  ["FR", "ES", "2026-11-21T12:00:00Z", 2],
])("passports from %s to %s at %s are %i, whatever a file says", (home, country, at, count) => {
  const record = { ...given(PI, "Authorised", [7]), passportOut: { [country]: [7] }, established: { [country]: [7] } };
  expect(listPassports(record, home, country, Date.parse(at))).toHaveLength(count);
});

test("the passport of a category that does not entitle is none", () => {
  const withdrawn = { ...given(PI, "Withdrawn", [7]), passportOut: { XY: [7] } };
  const read = reading([withdrawn, given("E-Money Institution", "Authorised", [7])]);
  expect(findEntitlementRefusals(read, "payments", "XY", NOW)).toEqual(["service_not_passported"]);
});

test("no two refusals have the same sentence, and that of a passport names the country", () => {
  const reasons: EntitlementRefusal[] = [
    ...new Set(refusals.map(([, , reason]) => reason)),
    ...(["passport_not_published", "service_not_passported"] as const),
  ];
  const sentences = reasons.map((reason) =>
    explainRefusal(reason, "PSDXX-TEST-1", "payments", "XY", { country: "XX" }),
  );
  expect(new Set(sentences).size).toBe(10);
  expect(sentences.at(-1)).toBe(
    "the home register has no passport of PSP PSDXX-TEST-1 to XY for payment service 7, which scope payments needs",
  );
});
