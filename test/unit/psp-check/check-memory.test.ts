/** Until when a check is remembered. */
import { expect, test } from "vitest";
import { readPsp } from "../../../src/eidas/psd2.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";
import { beginJudgement, judge } from "../../../src/psp-check/psp-check.ts";
import type { RegisterReading } from "../../../src/registers/lookup.ts";
import type { RegisterManifest, RegisterMaxAges } from "../../../src/registers/manifest.ts";
import { nextRegisterDay } from "../../../src/registers/status.ts";
import type { StatusPeriod } from "../../../src/trust/anchors.ts";
import { certificates, leaf, middle, NOW, root } from "../x509/made-paths.ts";

const REGISTERS: RegisterMaxAges = { nca: null, "credit-institutions": null, eba: null };

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

const uses: StatusPeriod["uses"] = ["seal"];
const granted = { status: "granted", from: "2017-01-01T00:00:00Z", uses };

/** Until when a check at `now` is remembered, in milliseconds since. */
async function remembered(
  now: number,
  { anchors = [entry(granted)], home = null, maxAges = REGISTERS }: Partial<Checked> = {},
): Promise<number> {
  const good = {
    status: "good",
    source: "OCSP",
    proof: null,
    thisUpdate: now,
    nextUpdate: now + 3_600_000,
    validUntil: now + 3_600_000,
    revokedAt: null,
    reason: null,
    message: "",
    said: [],
  } as const;
  const psp = readPsp(leaf.certificate);
  const chain = { leaf: leaf.certificate, issuers: certificates(middle) };
  const began = await beginJudgement(chain, { psp, anchors, home, host: null }, now);
  const { check } = judge(
    began,
    began.foundPath.path.slice(1).map(() => good),
    maxAges,
  );
  return check.expiresAt - now;
}

interface Checked {
  readonly anchors: ReturnType<typeof entry>[];
  readonly home: RegisterReading | null;
  readonly maxAges: RegisterMaxAges;
}

test("no longer than until an entry of its QTSP's key turns, though another one decided", async () => {
  const withdrawn = { status: "withdrawn", from: new Date(NOW + 10_000).toISOString(), uses };
  expect(await remembered(NOW)).toBe(30_000);
  expect(await remembered(NOW, { anchors: [entry(granted), entry(granted, withdrawn)] })).toBe(10_000);
});

test("no longer than until a day begins where a register is kept", async () => {
  const day = nextRegisterDay(NOW);
  expect(await remembered(day - 5_000)).toBe(5_000);
  expect(await remembered(day)).toBe(30_000);
});

test("no longer than until a register is older than it may be, and as usual when it is", async () => {
  const fetchedAt = new Date(NOW).toISOString();
  const manifest = { source: "nca", country: "XX", published: fetchedAt, fetchedAt, hash: "" } as unknown;
  const home = {
    country: "XX",
    manifests: [manifest as RegisterManifest],
    categories: [],
  } as unknown as RegisterReading;
  const maxAges = { ...REGISTERS, nca: 60_000 };
  // one that is as old as it may be is not stale
  expect(await remembered(NOW + 50_000, { home, maxAges })).toBe(10_001);
  expect(await remembered(NOW + 60_001, { home, maxAges })).toBe(30_000);
  expect(await remembered(NOW + 50_000, { home })).toBe(30_000);
});
