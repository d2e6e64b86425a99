/** Until when a check is remembered. */
import { expect, test } from "vitest";
import { readPsp } from "../../../src/eidas/psd2.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";
import { judge } from "../../../src/psp-check/psp-check.ts";
import type { StatusPeriod } from "../../../src/trust/anchors.ts";
import { certificates, leaf, middle, NOW, root } from "../x509/made-paths.ts";

const REGISTERS = { nca: null, "credit-institutions": null, eba: null };

const entry = (...periods: StatusPeriod[]) => ({
  certificate: root.certificate,
  listed: {
    certificate: toBase64(root.certificate.der),
    source: "eIDAS",
    jurisdiction: "AT",
    qtspName: "QTSP",
    serviceName: "CA",
    periods,
    listSequenceNumber: 1,
    listIssuedAt: "2026-06-01T00:00:00Z",
    listNextUpdate: null,
  },
});

test("no longer than until an entry of its QTSP's key turns, though another one decided", async () => {
  const uses: StatusPeriod["uses"] = ["seal"];
  const granted = { status: "granted", from: "2017-01-01T00:00:00Z", uses };
  const withdrawn = { status: "withdrawn", from: new Date(NOW + 10_000).toISOString(), uses };
  const good = {
    status: "good",
    source: "OCSP",
    proof: null,
    thisUpdate: NOW,
    nextUpdate: NOW + 3_600_000,
    validUntil: NOW + 3_600_000,
    revokedAt: null,
    reason: null,
    message: "",
    said: [],
  } as const;
  const psp = readPsp(leaf.certificate);
  const expiry = async (...anchors: ReturnType<typeof entry>[]) =>
    (
      await judge(
        REGISTERS,
        { leaf: leaf.certificate, issuers: certificates(middle) },
        { psp, anchors, home: null, host: null },
        NOW,
        async (path) => path.slice(1).map(() => good),
      )
    ).check.expiresAt;
  expect(await expiry(entry(granted))).toBe(NOW + 30_000);
  expect(await expiry(entry(granted), entry(granted, withdrawn))).toBe(NOW + 10_000);
});
