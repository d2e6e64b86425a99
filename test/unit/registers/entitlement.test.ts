import { expect, test } from "vitest";
import { AgentRoll } from "../../../src/registers/agent-roll.ts";
import { checkEntitlement, type EntitlementRefusal, explainRefusal } from "../../../src/registers/entitlement.ts";
import type { RegisterReading } from "../../../src/registers/lookup.ts";
import type { AuthorisationStatus, CategoryRecord } from "../../../src/registers/psp-record.ts";
import type { Register } from "../../../src/registers/register.ts";
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

const refusals: [string, RegisterReading, number[], EntitlementRefusal][] = [
  ["a certificate without the role", reading([given(PI, "Authorised", [7])]), [8], "role-not-on-certificate"],
  ["no register of the country", readingOf([], "XX", "PSDXX-TEST-1"), [7], "register-not-loaded"],
  ["two entries that fit", reading([], { psps: twins }), [7], "ambiguous-in-register"],
  ["no entry", reading([]), [7], "not-in-register"],
  ["an entry of another NCA", reading([], { psps: otherNcas }), [7], "not-in-register"],
  ["another service", reading([given(PI, "Authorised", [8])]), [7], "service-not-in-register"],
  ["a withdrawn category", reading([given(PI, "Withdrawn", [7])]), [7], "withdrawn"],
  ["a day of withdrawal past", reading([given(PI, ["2020-01-01", "2026-11-21"], [7])]), [7], "withdrawn"],
  ["an unauthorised category", reading([given(PI, "Unauthorised", [7])]), [7], "unauthorised"],
  ["a category without status", reading([given(PI, null, [7])]), [7], "status-not-documented"],
  ["an undocumented category", reading([given(null, "Authorised", [7])]), [7], "status-not-documented"],
  ["a branch", reading([given("Branch", "Authorised", [7])]), [7], "status-not-documented"],
  [
    "the service in a withdrawn category only, beside an authorised one",
    reading([given(PI, "Withdrawn", [7]), given("E-Money Institution", "Authorised", [8])]),
    [7, 8],
    "withdrawn",
  ],
  ["a withdrawn category that lists no service", reading([given(PI, "Withdrawn", [])]), [7], "withdrawn"],
];

test.each(refusals)("%s does not entitle to payments", (_, read, services, reason) => {
  expect(checkEntitlement({ reading: read, scope: "payments", services, now: NOW })).toEqual({ ok: false, reason });
  expect(explainRefusal(reason, "PSDXX-TEST-1", "payments")).toContain("PSDXX-TEST-1");
});

const grants: [string, RegisterReading][] = [
  ["an authorised category", reading([given(PI, "Authorised", [8])])],
  ["a registered one", reading([given("AISP", "Registered", [8])])],
  ["one of several", reading([given(PI, "Withdrawn", [8]), given("AISP", "Registered", [8])])],
  ["a credit institution without listed services", reading([given("Credit Institution", "Authorised", [])])],
  ["the day before a withdrawal", reading([given(PI, ["2020-01-01", "2026-11-22"], [8])])],
];

test.each(grants)("%s entitles to accounts", (_, read) => {
  expect(checkEntitlement({ reading: read, scope: "accounts", services: [7, 8], now: NOW })).toEqual({ ok: true });
});
