/** The scale of the time line, and the steps of the path: what is drawn, at any date. */
import { expect, test } from "vitest";
import type { CheckResult } from "../../../src/console/check/kept-checks.ts";
import { listSteps } from "../../../src/console/check/path-picture.tsx";
import { listSpans, listYears, placeOf, scaleFor } from "../../../src/console/check/time-line.tsx";

const at = (text: string): number => Date.parse(text);
const PERIOD = { notBefore: at("2026-01-01T00:00:00Z"), notAfter: at("2028-01-01T00:00:00Z") };

const anchor = {
  ...{ source: "eIDAS", jurisdiction: "IE", service: "Service", status: "granted", since: "2020-01-01T00:00:00.000Z" },
  ...{ listSequenceNumber: 42, listIssuedAt: "2026-05-01T00:00:00.000Z", listNextUpdate: "2026-11-01T00:00:00.000Z" },
};
const PATH = [
  { subject: "CN=psp.example,O=Some PSP", sha256: "aa" },
  { subject: "O=QTSP,CN=Sub\\, one", sha256: "bb" },
  { subject: "CN=Root", sha256: "cc" },
];
const revocation = [
  {
    certificate: "aa",
    source: "OCSP",
    url: null,
    producedAt: "2026-06-01T00:00:00.000Z",
    nextUpdate: "2026-06-08T00:00:00.000Z",
    sha256: "1",
  },
  {
    certificate: "bb",
    source: "CRL",
    url: null,
    producedAt: "2026-06-01T00:00:00.000Z",
    nextUpdate: null,
    sha256: "2",
  },
];
const finding = (evidence: object = { anchor, path: PATH, revocation, registers: [] }) =>
  ({
    name: "Some PSP",
    authNumber: "PSDIE-CBI-1",
    certificate: { ...PERIOD, sha256: "aa", header: "" },
    periods: [
      { status: "granted", from: "2020-01-01T00:00:00.000Z" },
      { status: "withdrawn", from: "2027-01-01T00:00:00.000Z" },
    ],
    answer: { evidence, eIDAS: { data: { QTSPCommonName: "Unknown CA" } } },
  }) as unknown as CheckResult;

test.each([
  ["within the certificate's period", "2026-06-01T00:00:00Z"],
  ["before it", "2024-01-01T00:00:00Z"],
  ["after it", "2031-01-01T00:00:00Z"],
])("the instant of a check %s is on the scale, and so is the period", (_, instant) => {
  const scale = scaleFor(PERIOD as CheckResult["certificate"], at(instant));
  for (const time of [PERIOD.notBefore, PERIOD.notAfter, at(instant)]) {
    expect(placeOf(time, scale)).toBeGreaterThan(0);
    expect(placeOf(time, scale)).toBeLessThan(100);
  }
  expect(placeOf(scale.start - 1e12, scale)).toBe(0);
  expect(placeOf(scale.end + 1e12, scale)).toBe(100);
});

test("years are marked, never too many", () => {
  const scale = scaleFor(PERIOD as CheckResult["certificate"], at("2026-06-01T00:00:00Z"));
  expect(listYears(scale)).toEqual([2026, 2027, 2028]);
  expect(listYears({ start: at("1990-01-01T00:00:00Z"), end: at("2070-06-01T00:00:00Z") }).length).toBeLessThanOrEqual(
    8,
  );
});

test("a status period ends where the next begins, and an answer without an end has none", () => {
  expect(listSpans(finding(), at("2026-06-01T00:00:00Z")).map(({ label, look, to }) => [label, look, to])).toEqual([
    ["Certificate", "yes", PERIOD.notAfter],
    ["Issuer's status: granted", "yes", at("2027-01-01T00:00:00Z")],
    ["Issuer's status: withdrawn", "no", null],
    ["Trusted list", "plain", at("2026-11-01T00:00:00Z")],
    ["OCSP on the certificate", "plain", at("2026-06-08T00:00:00Z")],
    ["CRL on issuer 1", "plain", null],
  ]);
  expect(listSpans(finding(), at("2029-01-01T00:00:00Z"))[0]?.look).toBe("no");
});

test("the path leads from the PSP over its issuers to the list, and for the EU's to the list of lists", () => {
  expect(listSteps(finding()).map(({ kind, title, what }) => [kind, title, what])).toEqual([
    ["psp", "Some PSP", "PSP's certificate, PSDIE-CBI-1"],
    ["issuer", "Sub, one", "intermediate issuer"],
    ["issuer", "Service", "QTSP's service, granted"],
    ["list", "Trusted list of Ireland", "eIDAS, number 42"],
    ["list", "List of trusted lists", "European Commission; signers pinned in this service"],
  ]);
  const others = listSteps(finding({ anchor: { ...anchor, source: "OBIE" }, path: PATH, revocation: [] }));
  expect(others.at(-1)?.title).toBe("Trusted list of Ireland");
  expect(others.at(-2)?.what).toBe("Open Banking Directory's service, granted");
});

test("without a path the issuer that nobody lists is where it ends", () => {
  const steps = listSteps(finding({ anchor: null, path: [], revocation: [] }));
  expect(steps.map(({ kind, title }) => [kind, title])).toEqual([
    ["psp", "Some PSP"],
    ["gap", "Unknown CA"],
  ]);
});
