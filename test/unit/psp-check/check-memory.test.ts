/** Until when a check is remembered, and its answer with it. */
import { describe, expect, test } from "vitest";
import { readPsp } from "../../../src/eidas/psd2.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";
import { describeCheck } from "../../../src/psp-check/answer.ts";
import { decideOnCheck, type Place } from "../../../src/psp-check/decision.ts";
import { describeOnce } from "../../../src/psp-check/kept-answers.ts";
import { beginJudgement, judge, type PspCheck, withHost } from "../../../src/psp-check/psp-check.ts";
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

/** A check at `now`, of the PSP whose number is on no certificate of these. */
async function check(
  now: number,
  { anchors = [entry(granted)], home = null, host = null, maxAges = REGISTERS }: Partial<Checked> = {},
): Promise<PspCheck> {
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
  const number = { authNumber: "PSDFI-FINFSA-1", pspId: "PSDFI-FINFSA-1", homeCountry: "FI" };
  const psp = { ...readPsp(leaf.certificate), ...number };
  const chain = { leaf: leaf.certificate, issuers: certificates(middle) };
  const began = await beginJudgement(chain, { psp, anchors, home, host }, now);
  const judgement = judge(
    began,
    began.foundPath.path.slice(1).map(() => good),
    maxAges,
  );
  return judgement.check;
}

/** Until when a check at `now` is remembered, in milliseconds since. */
const remembered = async (now: number, checked?: Partial<Checked>): Promise<number> =>
  (await check(now, checked)).expiresAt - now;

interface Checked {
  readonly anchors: ReturnType<typeof entry>[];
  readonly home: RegisterReading | null;
  readonly host: RegisterReading | null;
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

/** As fetched at an instant; the PSP's only category is authorised as of the first of the days, and withdrawn as of the second. */
function register(country: string, fetched: number, days?: readonly string[]): RegisterReading {
  const fetchedAt = new Date(fetched).toISOString();
  const manifest = { source: "nca", country, published: fetchedAt, fetchedAt, hash: "" } as unknown as RegisterManifest;
  const psp = { authNumber: "PSDFI-FINFSA-1", agent: false, categories: [] };
  const record = { category: "Payment Institution", legalName: "Esimerkki Oy", status: days ?? null };
  const found = { source: "nca", psp, record: { ...record, services: [7, 8], passportOut: { SE: [7, 8] } } };
  return { country, manifests: [manifest], categories: days ? [found] : [], ambiguous: false } as RegisterReading;
}

test("no longer than until a register is older than it may be, and as usual when it is", async () => {
  const [home, maxAges] = [register("XX", NOW), { ...REGISTERS, nca: 60_000 }];
  // one that is as old as it may be is not stale
  expect(await remembered(NOW + 50_000, { home, maxAges })).toBe(10_001);
  expect(await remembered(NOW + 60_001, { home, maxAges })).toBe(30_000);
  expect(await remembered(NOW + 50_000, { home })).toBe(30_000);
});

describe("the answer to a remembered check is that to a check made anew", () => {
  const SECOND_MS = 1000;
  const midnight = nextRegisterDay(NOW);
  const maxAges = { ...REGISTERS, nca: 60_000 };
  /** Of a check that is repeated when it ends, or is made anew each second. */
  const compare = async (from: number, checkAt: (now: number) => Promise<PspCheck>, jurisdiction: string) => {
    let known: PspCheck | null = null;
    const changes = new Set<string>();
    for (let now = from; now < from + 90 * SECOND_MS; now += SECOND_MS) {
      const anew = await checkAt(now);
      if (known === null || now >= known.expiresAt) known = anew;
      for (const version of ["1", "latest"] as const) {
        const ages = known.restsOn.registerMaxAges;
        const place = { jurisdiction, bankPassports: null };
        const answer = describeOnce(known, place, version, now, decideOnCheck(known, place, now, ages));
        const decision = decideOnCheck(anew, place, now, ages);
        expect(answer).toEqual(describeCheck(anew, jurisdiction, version, ages, now, decision));
        changes.add(JSON.stringify(answer));
      }
    }
    return changes.size;
  };

  test("across the midnight of a withdrawal", async () => {
    const day = new Date(midnight + 12 * 3_600_000).toISOString().slice(0, 10);
    const home = register("FI", NOW, ["2019-01-01", day]);
    const start = Date.parse(`${day}T00:00:00Z`) - 2 * 3_600_000 - 3_600_000;
    expect(await compare(start - 5 * SECOND_MS, (now) => check(now, { home }), "FI")).toBe(4);
  });

  test("across the instants from which the home register and the host's are older than they may be", async () => {
    const [home, host] = [register("FI", NOW, ["2019-01-01"]), register("SE", NOW + 7 * SECOND_MS, ["2019-01-01"])];
    const checkAt = (now: number) => check(now, { home, host, maxAges });
    expect(await compare(NOW + 50 * SECOND_MS, checkAt, "SE")).toBe(6);
  });

  test("also of a check for many jurisdictions, which reads the host's register for a check without it", async () => {
    const [home, host] = [register("FI", NOW + 86_400_000, ["2019-01-01"]), register("SE", NOW, ["2019-01-01"])];
    const checkAt = async (now: number) => withHost(await check(now, { home, maxAges }), host, now);
    expect(await compare(NOW + 50 * SECOND_MS, checkAt, "SE")).toBe(4);
  });
});

test("an answer is given again for the same check, version and jurisdiction, and for no other", async () => {
  const home = register("FI", NOW, ["2019-01-01"]);
  const first = await check(NOW, { home });
  const ask = (to: PspCheck, now: number, more: Partial<Place> = {}, version: "1" | "latest" = "1") => {
    const place = { ...{ jurisdiction: "FI", bankPassports: null }, ...more } as Place & { jurisdiction: string };
    return describeOnce(to, place, version, now, decideOnCheck(to, place, now));
  };
  const answer = ask(first, NOW);
  expect(ask(first, NOW + 29_999)).toBe(answer);
  expect(ask(first, NOW, { jurisdiction: "SE" })).not.toBe(answer);
  expect(ask(first, NOW, {}, "latest")).not.toBe(answer);
  // another institution may have chosen otherwise
  expect(ask(first, NOW, { bankPassports: "accept" })).not.toBe(answer);
  expect(ask(first, NOW, { bankPassports: "refuse" })).not.toBe(answer);
  // made again, and based on something else
  expect(ask(await check(NOW + 1, { home }), NOW + 1)).not.toBe(answer);
  expect(ask(await check(NOW, { home, maxAges: { ...REGISTERS, nca: 1 } }), NOW)).not.toBe(answer);
  expect(ask(first, first.expiresAt)).not.toBe(answer);
});

const FINLAND = { jurisdiction: "FI", bankPassports: null };

test("a request that arrived before the check was made is answered as of its day, and leaves no answer to others", async () => {
  const day = nextRegisterDay(NOW);
  const made = await check(day, {
    home: register("FI", NOW, ["2019-01-01", new Date(day + 12 * 3_600_000).toISOString().slice(0, 10)]),
  });
  const statusAt = (now: number) =>
    describeOnce(made, FINLAND, "1", now, decideOnCheck(made, FINLAND, now)).homeRegister.categoryEntries[0]
      ?.pspAuthStatus;
  expect([statusAt(day - 1), statusAt(day), statusAt(day - 1)]).toEqual(["Authorised", "Withdrawn", "Authorised"]);
});
