import { expect, test } from "vitest";
import { findStanding } from "../../../src/registers/entitlement.ts";
import type { RegisterReading } from "../../../src/registers/lookup.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");

type Category = [
  name: "Payment Institution" | "E-Money Institution" | "AISP" | null,
  status: string | null,
  services: number[],
];
const read = (categories: Category[], change: Partial<RegisterReading> = {}) =>
  ({
    country: "XX",
    manifests: [{}],
    ambiguous: false,
    categories: categories.map(([category, status, services]) => ({
      psp: { authNumber: "PSDXX-TEST-000001", agent: false, categories: [] },
      record: { category, legalName: `as ${category}`, status, services, passportOut: {} },
    })),
    ...change,
  }) as unknown as RegisterReading;

const UNKNOWN = { legalName: null, status: null, lost: false };
test.each<[string, RegisterReading | null, ReturnType<typeof findStanding>]>([
  ["cannot be read", null, UNKNOWN],
  ["does not know the PSP", read([]), UNKNOWN],
  ["has it twice", read([], { ambiguous: true }), UNKNOWN],
  [
    "gives the service",
    read([["Payment Institution", "Authorised", [7, 8]]]),
    { legalName: "as Payment Institution", status: "Authorised", lost: false },
  ],
  ["registers it", read([["AISP", "Authorised", [8]]]), { legalName: "as AISP", status: "Registered", lost: false }],
  [
    "withdrew it",
    read([["Payment Institution", "Withdrawn", [8]]]),
    { legalName: "as Payment Institution", status: "Withdrawn", lost: true },
  ],
  [
    "never authorised it",
    read([["Payment Institution", "Unauthorised", [8]]]),
    { legalName: "as Payment Institution", status: "Unauthorised", lost: true },
  ],
  [
    "withdrew it in one category only",
    read([
      ["Payment Institution", "Withdrawn", [8]],
      ["E-Money Institution", "Authorised", [8]],
    ]),
    { legalName: "as E-Money Institution", status: "Authorised", lost: false },
  ],
  [
    "authorises it for something else",
    read([
      ["Payment Institution", "Withdrawn", [8]],
      ["E-Money Institution", "Authorised", [1]],
    ]),
    { legalName: "as Payment Institution", status: "Withdrawn", lost: true },
  ],
  [
    "took the service away",
    read([["Payment Institution", "Authorised", [1, 7]]]),
    { legalName: "as Payment Institution", status: "Authorised", lost: true },
  ],
  ["is silent on it", read([["Payment Institution", null, [8]]]), { ...UNKNOWN, legalName: "as Payment Institution" }],
])("the standing for accounts, when the home register %s", (_, reading, standing) => {
  expect(findStanding(reading, "accounts", NOW)).toEqual(standing);
});
