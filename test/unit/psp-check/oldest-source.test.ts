import { expect, test } from "vitest";
import type { Evidence, RevocationProof } from "../../../src/psp-check/evidence.ts";
import { findOldest } from "../../../src/psp-check/source-ages.ts";
import type { RegisterReading } from "../../../src/registers/lookup.ts";
import type { RegisterManifest } from "../../../src/registers/manifest.ts";

const CRL: RevocationProof = {
  ...{ certificate: "aa", source: "CRL" as const, url: null, crlNumber: "7", sha256: "1" },
  ...{ producedAt: "2026-11-19T12:00:00.000Z", thisUpdate: "2026-11-19T12:00:00.000Z", nextUpdate: null },
};
/** Signed later than the instant of which it speaks. */
const OCSP: RevocationProof = {
  ...{ certificate: "bb", source: "OCSP" as const, url: null, crlNumber: null, sha256: "2" },
  ...{ producedAt: "2026-11-21T12:00:00.000Z", thisUpdate: "2026-11-18T12:00:00.000Z", nextUpdate: null },
};
const ANCHOR = {
  ...{ source: "eIDAS", jurisdiction: "FI", serviceName: "QWAC", periods: [], listSequenceNumber: 12 },
  ...{ listIssuedAt: "2026-11-20T00:00:00.000Z", listNextUpdate: null },
};
const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  anchor: null,
  path: [
    { subject: "CN=psp", sha256: "aa" },
    { subject: "CN=middle", sha256: "bb" },
    { subject: "CN=CA", sha256: "cc" },
  ],
  ...{ revocation: [], doubts: [] },
  ...more,
});
const reading = (country: string, ...manifests: Partial<RegisterManifest>[]): RegisterReading => ({
  ...{ country, categories: [], ambiguous: false },
  manifests: manifests.map((each) => ({ country, ...each }) as RegisterManifest),
});
const oldest = (of: Evidence, home: RegisterReading | null = null, host: RegisterReading | null = null) =>
  findOldest({ evidence: of, home, host });

test("nothing to rest on, nothing that is old", () => {
  expect(oldest(evidence())).toBeNull();
  expect(oldest(evidence({ anchor: { ...ANCHOR, listIssuedAt: null } }), reading("FI"))).toBeNull();
});

test("the trusted list by its issue, a revocation answer by its thisUpdate, whichever is earlier", () => {
  const list = { name: "eIDAS trusted list of FI", at: "2026-11-20T00:00:00.000Z" };
  expect(oldest(evidence({ anchor: ANCHOR }))).toEqual(list);
  const crl = { name: "CRL on the certificate", at: "2026-11-19T12:00:00.000Z" };
  expect(oldest(evidence({ anchor: ANCHOR, revocation: [CRL] }))).toEqual(crl);
  const ocsp = { name: "OCSP on its issuer 1", at: "2026-11-18T12:00:00.000Z" };
  expect(oldest(evidence({ anchor: ANCHOR, revocation: [CRL, OCSP] }))).toEqual(ocsp);
  const older = { ...ANCHOR, listIssuedAt: "2026-11-01T00:00:00Z" };
  expect(oldest(evidence({ anchor: older, revocation: [CRL, OCSP] }))).toEqual({
    name: "eIDAS trusted list of FI",
    at: "2026-11-01T00:00:00.000Z",
  });
});

test("a register ages from its publication, or from the day when it was fetched or imported if that is earlier", () => {
  const dates = { published: "2026-11-02T00:00:00Z", fetchedAt: "2026-11-10T00:00:00.000Z" };
  const home = reading("FI", { source: "eba", ...dates }, { source: "nca", ...dates });
  expect(oldest(evidence(), home)).toEqual({ name: "eba register of FI", at: "2026-11-02T00:00:00.000Z" });
  const imported = reading("FI", { source: "nca", ...dates });
  expect(oldest(evidence(), imported)).toEqual({ name: "nca register of FI", at: "2026-11-02T00:00:00.000Z" });
  const host = reading("SE", { source: "nca", ...dates, fetchedAt: "2026-10-01T00:00:00.000Z" });
  expect(oldest(evidence({ anchor: ANCHOR, revocation: [CRL] }), home, host)).toEqual({
    name: "nca register of SE",
    at: "2026-10-01T00:00:00.000Z",
  });
});

test("of two that are equally old the first; a date that cannot be read has no age", () => {
  const same = { published: "x", fetchedAt: "2026-11-10T00:00:00.000Z" };
  const home = reading("FI", { source: "eba", ...same, fetchedAt: "x" }, { source: "nca", ...same });
  const host = reading("SE", { source: "nca", ...same });
  expect(oldest(evidence(), home, host)).toEqual({ name: "nca register of FI", at: "2026-11-10T00:00:00.000Z" });
});
