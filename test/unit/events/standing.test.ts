import { describe, expect, test } from "vitest";
import { parseListCursor, writeListCursor } from "../../../src/events/event.ts";
import type { IssuerStanding } from "../../../src/events/issuers.ts";
import { findStaleSources } from "../../../src/events/stale-sources.ts";
import {
  compareStandings,
  digestStanding,
  type PspStanding,
  readRegisterStanding,
} from "../../../src/events/standing.ts";
import type { FoundCategory } from "../../../src/registers/found-category.ts";
import type { RegisterReading } from "../../../src/registers/lookup.ts";
import { DEFAULT_REGISTER_MAX_AGES_MS, type RegisterManifest } from "../../../src/registers/manifest.ts";
import type { CategoryRecord } from "../../../src/registers/psp-record.ts";
import type { TrustListManifest } from "../../../src/trust/anchors.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");
const HOUR = 3_600_000;

const found = (record: Partial<CategoryRecord>, agent = false): FoundCategory => ({
  source: "nca",
  psp: { authNumber: "PSDXX-TEST-1", agent, categories: [] },
  record: { category: "AISP", legalName: "A", status: "Registered", services: [8], passportOut: {}, ...record },
});
const manifest = { country: "XX", source: "nca", hash: "ab", fetchedAt: "2026-11-01T00:00:00Z" } as RegisterManifest;
const reading = (...categories: FoundCategory[]): RegisterReading => ({
  ...{ country: "XX", manifests: [manifest], categories, ambiguous: false },
});
const register = (...categories: FoundCategory[]) => {
  const standing = readRegisterStanding(reading(...categories), NOW);
  if (!standing) throw new Error("no standing");
  return standing;
};
const issuer: IssuerStanding = {
  ...{ source: "eIDAS", jurisdiction: "XX", service: "CA", anchor: "cd", status: "granted", certificates: ["a"] },
};
const standing = (issuers: readonly IssuerStanding[] = [], ...categories: FoundCategory[]): PspStanding => ({
  ...{ register: register(...categories), issuers },
});

test("a register that is not loaded says nothing; one without the PSP says that it has no category", () => {
  expect(readRegisterStanding({ ...reading(), manifests: [] }, NOW)).toBeNull();
  expect(register()).toEqual({ ambiguous: false, categories: [] });
});

test("the same entries in another order are the same standing, whatever the PSP's name", () => {
  const [a, b] = [found({ passportOut: { SE: [8], FI: [8] } }), found({ category: "Credit Institution" })];
  const renamed = found({ passportOut: { FI: [8], SE: [8] }, legalName: "B" });
  const text = JSON.stringify(standing([], a, b));
  expect(digestStanding(JSON.stringify(standing([], b, renamed)))).toBe(digestStanding(text));
  expect(JSON.parse(text).register.categories[1]).toEqual({
    ...{
      category: "Credit Institution",
      status: "Registered",
      payment_services: [1, 2, 3, 4, 5, 6, 7, 8],
      passports: {},
    },
  });
});

test.each<[string, Partial<CategoryRecord>]>([
  ["the status", { status: "Withdrawn" }],
  ["the services", { services: [7, 8] }],
  ["a passport", { passportOut: { FI: [8] } }],
  ["the category", { category: "Payment Institution" }],
])("%s changed", (_, record) => {
  const [before, after] = [standing([], found({})), standing([], found(record))];
  expect(compareStandings(before, after)).toEqual([
    { type: "psp.status_changed", before: before.register, after: after.register },
  ]);
  expect(compareStandings(after, after)).toEqual([]);
});

test("a day that the register names changes the status without an import", () => {
  const days = reading(found({ category: "Payment Institution", status: ["2026-01-01", "2026-12-01"] }));
  const at = (time: string) => readRegisterStanding(days, Date.parse(time))?.categories[0]?.status;
  expect([at("2026-11-30T22:59:59Z"), at("2026-11-30T23:00:00Z")]).toEqual(["Authorised", "Withdrawn"]);
});

describe("an issuer", () => {
  const other: IssuerStanding = { ...issuer, certificates: ["b"] };
  const both: IssuerStanding = { ...issuer, certificates: ["a", "b"] };
  const withdrawn: IssuerStanding = { ...issuer, status: "withdrawn", reason: "it is withdrawn" };
  const bothWithdrawn: IssuerStanding = { ...withdrawn, certificates: ["a", "b"] };

  test.each<[string, IssuerStanding[], IssuerStanding[], string[][]]>([
    ["that is granted no longer", [issuer], [withdrawn], [["a"]]],
    ["that its list dropped", [issuer], [{ ...issuer, status: "not listed" }], [["a"]]],
    ["for several certificates, once", [both], [bothWithdrawn], [["a", "b"]]],
    ["for one of two certificates", [both], [other, withdrawn], [["a"]]],
    ["for one certificate, the other had been lost", [withdrawn, other], [bothWithdrawn], [["b"]]],
    [
      "for each of two certificates for a reason of its own",
      [both],
      [withdrawn, { ...other, status: "x" }],
      [["a"], ["b"]],
    ],
    ["of a certificate that was shown since", [issuer], [bothWithdrawn], [["a", "b"]]],
    ["that is granted again", [withdrawn], [issuer], []],
    ["that is dropped after its withdrawal", [withdrawn], [{ ...issuer, status: "not listed" }], []],
    ["that is new and granted", [], [issuer], []],
    ["whose certificates have all ended", [issuer], [], []],
  ])("%s", (_, before, after, told) => {
    const changes = compareStandings(standing(before), standing(after));
    expect(changes.map((change) => change.type === "qtsp.withdrawn" && change.after.certificates)).toEqual(told);
    for (const change of changes)
      if (change.type === "qtsp.withdrawn")
        expect(change.before).toEqual({ ...issuer, certificates: change.after.certificates });
  });
});

test("a source is stale from the instant on that is said beforehand, once for each edition", () => {
  const list = { source: "eIDAS", jurisdiction: "FI", nextUpdate: "2026-11-22T12:00:00Z", sequenceNumber: 7 };
  const at = (now: number, next = list.nextUpdate) =>
    findStaleSources(
      [{ ...list, nextUpdate: next } as TrustListManifest],
      [manifest],
      { ...DEFAULT_REGISTER_MAX_AGES_MS, nca: null },
      now,
    );
  const { nextAt, notices } = at(NOW);
  expect([notices, nextAt]).toEqual([[], NOW + 2 * HOUR + 1]);
  expect(at(nextAt - 1).notices).toEqual([]);
  expect(at(nextAt)).toMatchObject({
    nextAt: Number.POSITIVE_INFINITY,
    notices: [{ type: "source.stale", country: null }],
  });
  const later = at(nextAt + 48 * HOUR, "2026-11-23T12:00:00Z").notices[0]?.id;
  expect(later).not.toBe(at(nextAt).notices[0]?.id);
  expect(at(nextAt + HOUR).notices[0]?.id).toBe(at(nextAt).notices[0]?.id);
  const registers = findStaleSources([], [manifest], DEFAULT_REGISTER_MAX_AGES_MS, NOW + 60 * 24 * HOUR);
  const closed = { ...list, nextUpdate: null, issuedAt: "2026-11-20T00:00:00Z", granted: 1 } as TrustListManifest;
  expect(findStaleSources([closed], [], DEFAULT_REGISTER_MAX_AGES_MS, NOW).notices).toMatchObject([
    { id: "stale list eIDAS FI 2026-11-20T00:00:00Z" },
  ]);
  expect(registers.notices).toMatchObject([
    { country: "XX", subject: "register XX nca", id: "stale register XX nca 2026-11-01T00:00:00.000Z" },
  ]);
});

test("a cursor is of one list of one institution", () => {
  const cursor = writeListCursor("watches", 7, "PSDXX-TEST-ä");
  expect(parseListCursor("watches", 7, cursor)).toBe("PSDXX-TEST-ä");
  for (const [listing, fiId, text] of [
    ["watches", 8, cursor],
    ["events", 7, cursor],
    ["watches", 7, `${cursor}x`],
    ["watches", 7, cursor.slice(1)],
    ["watches", 7, ""],
    ["watches", 7, "."],
  ] as const)
    expect(parseListCursor(listing, fiId, text)).toBeNull();
});
