import { describe, expect, test } from "vitest";
import type { CertificateUse, StatusPeriod } from "../../../src/trust/anchors.ts";
import { EIDAS_APPLIES, findStatusFault } from "../../../src/trust/service-status.ts";

const BEFORE_EIDAS = Date.parse("2015-03-01T00:00:00Z");
const SINCE_EIDAS = Date.parse("2020-03-01T00:00:00Z");
const NOW = Date.parse("2026-11-21T00:00:00Z");

const period = (status: string, from: string, uses: CertificateUse[] | null = null): StatusPeriod => ({
  status,
  from,
  uses,
});
const answer = (periods: StatusPeriod[], use: CertificateUse | null, issuedAt: number, now = NOW) => {
  const fault = findStatusFault({ periods, use, issuedAt, now });
  if (fault === null) return "ok";
  const [what, when] = /^when/.test(fault) ? [fault, "at issue"] : [fault.replace(/ now$/, ""), "now"];
  if (/ no status on the trusted list$/.test(what)) return `not listed ${when}`;
  if (/ the status \S+$/.test(what)) return `not granted ${when}`;
  return / the grant for .+ only, not for \S+,$/.test(what) ? `other use ${when}` : fault;
};

// TS 119 615 clause 4.4, one row for each status of TS 119 612: does it entitle at issue, before eIDAS and since?
const TABLE: readonly [status: string, before: boolean, since: boolean][] = [
  ["granted", false, true],
  ["withdrawn", false, false],
  ["recognisedatnationallevel", false, false],
  ["deprecatedatnationallevel", false, false],
  ["setbynationallaw", false, false],
  ["deprecatedbynationallaw", false, false],
  ["undersupervision", true, false],
  ["supervisionincessation", true, false],
  ["accredited", true, false],
  ["supervisionceased", false, false],
  ["supervisionrevoked", false, false],
  ["accreditationceased", false, false],
  ["accreditationrevoked", false, false],
  ["http://uri.etsi.org/TrstSvc/eSigDir-1999-93-EC-TrustedList/Svcstatus/inaccord", false, false],
  ["constructor", false, false],
];

describe.each(TABLE)("the status %s", (status, before, since) => {
  const granted = period("granted", "2026-01-01T00:00:00Z");

  test(`${before ? "entitles" : "does not entitle"} to issue before eIDAS`, () => {
    const periods = [period(status, "2010-01-01T00:00:00Z"), granted];
    expect(answer(periods, null, BEFORE_EIDAS)).toBe(before ? "ok" : "not granted at issue");
  });

  test(`${since ? "entitles" : "does not entitle"} to issue since eIDAS`, () => {
    const periods = [period(status, "2010-01-01T00:00:00Z"), granted];
    expect(answer(periods, null, SINCE_EIDAS)).toBe(since ? "ok" : "not granted at issue");
  });

  test(`${since ? "is" : "is not"} enough now`, () => {
    const periods = [period("granted", "2016-06-30T22:00:00Z"), period(status, "2025-01-01T00:00:00Z")];
    expect(answer(periods, null, SINCE_EIDAS)).toBe(since ? "ok" : "not granted now");
  });
});

const WEB = period("granted", "2019-01-01T00:00:00Z", ["web-authentication"]);
const SEALS = period("granted", "2023-01-01T00:00:00Z", ["seal"]);

test.each<[what: string, periods: StatusPeriod[], use: CertificateUse | null, expected: string]>([
  ["a web certificate of a service for website authentication is entitled", [WEB], "web-authentication", "ok"],
  ["a seal of a service for website authentication is not", [WEB], "seal", "other use at issue"],
  [
    "a service that lost the use does not cover the certificate now",
    [WEB, SEALS],
    "web-authentication",
    "other use now",
  ],
  ["a service that got the use later did not have it at issue", [WEB, SEALS], "seal", "other use at issue"],
  ["a certificate that claims no use is asked for none", [WEB, SEALS], null, "ok"],
  ["a granted period that names no use grants none", [{ ...WEB, uses: [] }], "seal", "other use at issue"],
  ["a source that does not speak of uses binds to none", [{ ...WEB, uses: null }], "seal", "ok"],
  ["a service listed after the issue is not believed", [SEALS], "seal", "not listed at issue"],
  ["a service without any status is not believed", [], "seal", "not listed at issue"],
])("%s", (_what, periods, use, expected) => {
  expect(answer(periods, use, SINCE_EIDAS)).toBe(expected);
});

test("a status that begins in the future does not count yet", () => {
  const periods = [WEB, period("withdrawn", "2027-01-01T00:00:00Z")];
  expect(answer(periods, "web-authentication", SINCE_EIDAS)).toBe("ok");
  expect(answer(periods, "web-authentication", SINCE_EIDAS, Date.parse("2027-01-01T00:00:00Z"))).toBe(
    "not granted now",
  );
});

test("a service whose only status lies in the future is not granted, even for a certificate from then", () => {
  const from = "2027-01-01T00:00:00Z";
  expect(answer([period("granted", from)], null, Date.parse(from))).toBe("not listed now");
});

test("of two periods that begin at one instant the later entry counts", () => {
  const from = "2019-01-01T00:00:00Z";
  expect(answer([period("granted", from), period("withdrawn", from)], null, SINCE_EIDAS)).toBe("not granted at issue");
  expect(answer([period("withdrawn", from), period("granted", from)], null, SINCE_EIDAS)).toBe("ok");
});

test("eIDAS begins with its first millisecond", () => {
  const periods = [period("accredited", "2010-01-01T00:00:00Z"), period("granted", "2016-06-30T22:00:00Z")];
  expect(answer(periods, null, EIDAS_APPLIES - 1)).toBe("ok");
  expect(answer(periods, null, EIDAS_APPLIES)).toBe("ok");
  expect(answer([period("accredited", "2010-01-01T00:00:00Z"), WEB], null, EIDAS_APPLIES)).toBe("not granted at issue");
});

test("the message says when, which status, and for what", () => {
  const withdrawn = [WEB, period("withdrawn", "2024-01-01T00:00:00Z")];
  expect(findStatusFault({ periods: withdrawn, use: null, issuedAt: SINCE_EIDAS, now: NOW })).toBe(
    "the issuer's service has the status withdrawn now",
  );
});

test("uses do not count before eIDAS", () => {
  const before = period("undersupervision", "2010-01-01T00:00:00Z", ["seal"]);
  expect(answer([before, WEB], "web-authentication", BEFORE_EIDAS)).toBe("ok");
});
