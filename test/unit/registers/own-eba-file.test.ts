/** The repo's own file in the EBA register's form (fixtures/suites/eba): its unusual records, and statuses at a date. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEbaFile } from "../../../src/registers/import/eba-file.ts";
import { statusAt } from "../../../src/registers/status.ts";
import { readingOf } from "./reading-of.ts";

const FILE = join(import.meta.dirname, "../../../fixtures/suites/eba/psd2_golden_copy_sample.json");
const PUBLISHED = "2026-11-15T00:00:00.000Z";
const NOW = Date.parse("2026-11-21T12:00:00Z");

const file = await readEbaFile(new Blob([readFileSync(FILE)]).stream(), { sha256: null, published: PUBLISHED });
if (!file.ok) throw new Error(file.reason);
const { registers: gathered } = file;
const registers = [...gathered.registers(PUBLISHED)];

const found = (authNumber: string, now = NOW) =>
  readingOf(registers, authNumber.slice(3, 5), authNumber).categories.map(({ record, psp }) => [
    psp.agent ? "Agent" : record.category,
    record.legalName,
    statusAt(psp, record, now),
    record.services,
    record.passportOut,
  ]);

const SEVEN = [7];

test.each<[what: string, authNumber: string, categories: unknown[]]>([
  [
    "an institution",
    "PSDXX-TEST-100",
    [["Payment Institution", "Open Payments Ltd", "Authorised", [7, 8], { XY: SEVEN }]],
  ],
  [
    "one that was withdrawn",
    "PSDXX-TEST-101",
    [["Payment Institution", "Closed Payments Ltd", "Withdrawn", SEVEN, {}]],
  ],
  [
    "one that was authorised again",
    "PSDXX-TEST-102",
    [["Payment Institution", "Reopened Payments Ltd", "Authorised", [3, 8], {}]],
  ],
  [
    "one whose withdrawal is to come",
    "PSDXX-TEST-103",
    [["Payment Institution", "Closing Payments Ltd", "Authorised", SEVEN, {}]],
  ],
  [
    "one whose authorisation is to come",
    "PSDXX-TEST-104",
    [["Payment Institution", "Coming Payments Ltd", "Unauthorised", SEVEN, {}]],
  ],
  [
    "one without a day of authorisation",
    "PSDXX-TEST-105",
    [["Payment Institution", "Silent Payments Ltd", null, SEVEN, {}]],
  ],
  ["one for no day at all", "PSDXX-TEST-106", [["Payment Institution", "One Day Ltd", "Withdrawn", SEVEN, {}]]],
  ["an AISP, its values no lists", "PSDXX-TEST-107", [["AISP", "Accounts Only Ltd", "Registered", [8], { XY: [8] }]]],
  [
    "a payment and an e-money institution of one number",
    "PSDXX-TEST-108",
    [
      ["Payment Institution", "Twice Ltd", "Withdrawn", SEVEN, {}],
      ["E-Money Institution", "Twice Ltd", "Authorised", [5, 7], {}],
    ],
  ],
  [
    "an exempt payment institution",
    "PSDXX-TEST-109",
    [["Exempt Payment Institution", "Small Payments Ltd", "Registered", [6], {}]],
  ],
  [
    "an exempt e-money institution",
    "PSDXX-TEST-110",
    [["Exempt E-Money Institution", "Small Money Ltd", "Registered", [], {}]],
  ],
  [
    "one whose keys come twice, with services that do not exist",
    "PSDXX-TEST-111",
    [["Payment Institution", "Two Names Ltd", "Withdrawn", [1, 2], { XY: [] }]],
  ],
  ["one without a reference, by the end of its code", "PSDXX-TEST-112", []],
  [
    "the first of its references",
    "PSDXX-TEST-A-113",
    [["Payment Institution", "Two References Ltd", "Authorised", SEVEN, {}]],
  ],
  [
    "the second, spelt otherwise",
    "PSDXX-TEST-b113",
    [["Payment Institution", "Two References Ltd", "Authorised", SEVEN, {}]],
  ],
  ["the later of two versions", "PSDXX-TEST-114", [["Payment Institution", "New Version Ltd", "Authorised", [8], {}]]],
  ["two entities of one number and type: neither", "PSDXX-TEST-115", []],
  ["a type that is not on the code list", "PSDXX-TEST-116", [[null, "Unknown Kind Ltd", null, SEVEN, {}]]],
  ["a branch without a reference, by the end of its code", "PSDXX-TEST-100!XY", []],
  ["an agent", "PSDXX-TEST-9001", [["Agent", "Corner Shop", null, [], {}]]],
  ["an agent, alone in its country", "PSDXY-TEST-9003", [["Agent", "Kiosk Abroad", null, [], {}]]],
  ["an excluded provider", "PSDXX-TEST-117", [["Excluded from PSD2", "Excluded Ltd", null, [], {}]]],
  [
    "one that is entitled by national law",
    "PSDXX-TEST-118",
    [["Entitled under national law", "Entitled By Law", null, [], {}]],
  ],
  [
    "one with a withdrawal on an unreadable day, which leaves its other category alone",
    "PSDXX-TEST-119",
    [
      ["Payment Institution", "Out Of Order Ltd", null, SEVEN, {}],
      ["E-Money Institution", "Out Of Order Ltd", "Authorised", SEVEN, {}],
    ],
  ],
  [
    "Greece, which the register spells EL",
    "PSDGR-BOG-200",
    [["Payment Institution", "Πληρωμές Α.Ε.", "Authorised", SEVEN, { XX: [8] }]],
  ],
  [
    "an NCA with a dash in its name",
    "PSDFI-FINFSA-400-1",
    [["Payment Institution", "Maksut Oy", "Authorised", [7, 8], {}]],
  ],
  ["Latvia's central bank", "PSDLV-LV-300", [["E-Money Institution", "Naudas SIA", "Authorised", SEVEN, {}]]],
])("%s", (_, authNumber, categories) => {
  expect(found(authNumber)).toEqual(categories);
});

test("an active branch gives its services in its own country, and one that does not say that it is active none", () => {
  const established = (authNumber: string) =>
    readingOf(registers, "XX", authNumber).categories.map(({ record }) => record.established);
  expect(established("PSDXX-TEST-100")).toEqual([{ XY: [7, 8] }]);
  expect(established("PSDXX-TEST-101")).toEqual([undefined]);
});

test("statuses are of the day that is asked about", () => {
  const statusOn = (authNumber: string, day: string) => found(authNumber, Date.parse(day))[0]?.[2];
  expect(statusOn("PSDXX-TEST-102", "2019-07-11")).toBe("Authorised");
  expect(statusOn("PSDXX-TEST-102", "2019-07-12")).toBe("Withdrawn");
  expect(statusOn("PSDXX-TEST-102", "2024-07-12")).toBe("Authorised");
  expect(statusOn("PSDXX-TEST-103", "2027-01-01")).toBe("Withdrawn");
  expect(statusOn("PSDXX-TEST-104", "2027-01-01")).toBe("Authorised");
});

test("malformed records are refused for their PSP, or counted where they are nobody's", () => {
  const refused = registers.flatMap((register) =>
    register.refused.map(({ authNumber, reason }) => [authNumber, reason]),
  );
  expect(refused).toEqual([
    ["PSDXX-TEST-120", "PSD_PI XX_TEST!120: no ENT_NAM"],
    ["PSDXX-TEST-121", "PSD_PI XX_TEST!121: Services is not a list of services by country"],
  ]);
  expect(registers.flatMap(({ undated }) => undated)).toEqual(["PSDXX-TEST-119"]);
  expect(gathered.unreadable).toHaveLength(3);
  expect(gathered).toMatchObject({ records: 38, latestVersion: "20261114090000000" });
});

test("each country has its register, with the name of its NCA", () => {
  expect(registers.map(({ country, ncaName }) => [country, ncaName])).toEqual([
    ["FI", "Finnish Financial Supervisory Authority"],
    ["GR", "Bank of Greece"],
    ["LV", "Bank of Latvia"],
    ["XX", "TEST"],
    // only an agent is there, and nobody who would own a register
    ["XY", ""],
  ]);
});
