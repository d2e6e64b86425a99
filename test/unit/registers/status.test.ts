import { describe, expect, test } from "vitest";
import type { AuthorisationStatus, CategoryRecord } from "../../../src/registers/psp-record.ts";
import { statusAt } from "../../../src/registers/status.ts";

const PI = "Payment Institution";
const at = (
  status: CategoryRecord["status"],
  day: string,
  {
    category = PI,
    agent = false,
    country = "IS",
  }: { category?: CategoryRecord["category"]; agent?: boolean; country?: string } = {},
): AuthorisationStatus | null =>
  statusAt(
    { agent, authNumber: `PSD${country}-NCA-1` },
    { category, legalName: "A", status, services: [], passportOut: {} },
    Date.parse(day),
  );

describe("of days on which authorisation was given and withdrawn", () => {
  const days = ["2020-01-01", "2021-01-01", "2022-01-01"];
  test.each<[string, AuthorisationStatus]>([
    ["2019-12-31T23:59:59.999Z", "Unauthorised"],
    ["2020-01-01T00:00:00Z", "Authorised"],
    ["2020-12-31T23:59:59.999Z", "Authorised"],
    ["2021-01-01T00:00:00Z", "Withdrawn"],
    ["2021-12-31T23:59:59.999Z", "Withdrawn"],
    ["2022-01-01T00:00:00Z", "Authorised"],
    ["2026-01-01T00:00:00Z", "Authorised"],
  ])("at %s: %s", (now, status) => {
    expect(at(days, now)).toBe(status);
  });

  // an authority withdraws as of midnight where it is
  test.each([
    ["FI", "2020-12-31T21:59:59Z", "2020-12-31T22:00:00Z"],
    ["DE", "2020-12-31T22:59:59Z", "2020-12-31T23:00:00Z"],
    ["IE", "2020-12-31T23:59:59Z", "2021-01-01T00:00:00Z"],
  ])("a PSP of %s is withdrawn from %s on no more", (country, before, from) => {
    expect([at(days, before, { country }), at(days, from, { country })]).toEqual(["Authorised", "Withdrawn"]);
  });

  test("none says nothing", () => {
    expect(at([], "2026-01-01")).toBeNull();
  });
});

test.each(["Authorised", "Registered", "Unauthorised", "Withdrawn", null] as const)(
  "what is stated holds: %s",
  (status) => {
    expect(at(status, "2026-01-01")).toBe(status);
  },
);

test("agents, branches and undocumented categories have none, whatever is stated", () => {
  expect(at("Authorised", "2026-01-01", { agent: true })).toBeNull();
  expect(at("Authorised", "2026-01-01", { category: "Branch" })).toBeNull();
  expect(at("Authorised", "2026-01-01", { category: null })).toBeNull();
});
