/** A closed segment or an index that is damaged in R2: what is missing is named, the rest is given out, and the operator is told. */

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findDamage } from "../../../../src/cli/doctor/ledgers.ts";
import type { Damage } from "../../../../src/evidence/ledger/damage.ts";
import type { InstitutionLedger } from "../../../../src/evidence/ledger/institution-ledger.ts";
import type { Ledger } from "../../../../src/evidence/ledger/ledger.ts";
import type { LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import { clock } from "../../../../src/platform/clock.ts";
import { memories } from "../../../../src/platform/memory.ts";
import { hashBytes } from "../../../../src/platform/node-crypto.ts";
import { call, codesOf } from "../../bank.ts";
import { failingDatabase } from "../../faults/failing-database.ts";
import { loadSandbox, SANDBOX_FI } from "../../sandbox.ts";
import { DAY, FI_ID, makeEntries, makeEntry, NOON, withLedger } from "./made-entries.ts";
import { EVERYTHING, idOf, ledgerOfBank } from "./records.ts";

beforeAll(loadSandbox);
beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  for (const { key } of (await env.EVIDENCE.list({ prefix: "ledger/" })).objects) await env.EVIDENCE.delete(key);
  await env.DB.prepare("DELETE FROM ledger_damage").run();
});
afterEach(() => void vi.restoreAllMocks());

const SEGMENT = `ledger/${FI_ID}/000000000006.jsonl.gz`;
const INDEX = `ledger/${FI_ID}/index/2099-11-23.json.gz`;

/** Three days with five records each, the last one open. */
async function threeDays(ledger: InstitutionLedger): Promise<void> {
  for (const day of [0, 1, 2]) {
    const now = NOON + day * DAY;
    await ledger.keep(now);
    await ledger.append(FI_ID, makeEntries(5, now), false, now);
  }
  await ledger.keep(NOON + 2 * DAY);
}
async function readAll(ledger: InstitutionLedger) {
  const [seqs, gaps]: [number[], Damage[]] = [[], []];
  for (let before: number | null | undefined; before !== null; ) {
    const page = await ledger.search.list({ ...EVERYTHING, limit: 3, before: before ?? null });
    seqs.push(...page.texts.map((text) => (JSON.parse(text) as LedgerRecord).seq));
    gaps.push(...page.gaps);
    before = page.next;
  }
  return { seqs, gaps };
}
const bytesOf = async (key: string) =>
  new Uint8Array((await (await env.EVIDENCE.get(key))?.arrayBuffer()) ?? new ArrayBuffer());
const told = async () =>
  (await env.DB.prepare("SELECT fi, file, first_seq, last_seq, reason FROM ledger_damage").all()).results;

const damages: readonly [string, string, Damage["reason"], (storage: DurableObjectStorage) => Promise<void>][] = [
  ["segment that is gone", SEGMENT, "missing", () => env.EVIDENCE.delete(SEGMENT)],
  [
    "segment of which one bit was turned",
    SEGMENT,
    "altered",
    async () => {
      const bytes = await bytesOf(SEGMENT);
      bytes[20] = (bytes[20] ?? 0) ^ 1;
      await env.EVIDENCE.put(SEGMENT, bytes);
    },
  ],
  [
    "segment that cannot be decompressed",
    SEGMENT,
    "unreadable",
    async ({ sql }) => {
      const bytes = (await bytesOf(SEGMENT)).slice(0, 100);
      await env.EVIDENCE.put(SEGMENT, bytes);
      sql.exec("UPDATE segments SET sha256 = ?1 WHERE first_seq = 6", hashBytes("sha256", bytes));
    },
  ],
  ["index of a day that is gone", INDEX, "missing", () => env.EVIDENCE.delete(INDEX)],
  ["index of a day that is none", INDEX, "unreadable", async () => void (await env.EVIDENCE.put(INDEX, "none"))],
];

describe.each(damages)("a %s", (_, file, reason, damage) => {
  const GAP = { first_seq: 6, last_seq: 10, first_time: NOON + DAY, last_time: NOON + DAY + 4, file, reason };
  const damaged = (work: (ledger: InstitutionLedger, texts: readonly string[]) => Promise<void>) =>
    withLedger(async ({ ledger, storage, open }) => {
      await threeDays(ledger);
      const texts = (await Promise.all([1, 6, 11].map((from) => ledger.search.range(from, 15)))).flatMap(
        (page) => page.texts,
      );
      // indexes are read when the rows are gone
      if (file === INDEX) await ledger.keep(NOON + 6 * DAY);
      await damage(storage);
      await work(open(), texts);
    });

  test("is named once with its records, their times and how it was noticed, and the rest is listed", () =>
    damaged(async (ledger) => {
      expect(await readAll(ledger)).toEqual({ seqs: [15, 14, 13, 12, 11, 5, 4, 3, 2, 1], gaps: [GAP] });
      const pages = [
        await ledger.search.range(1, 15),
        await ledger.search.range(6, 15),
        await ledger.search.range(11, 15),
      ];
      expect(pages.map(({ texts, next, gaps }) => [texts.length, next, gaps])).toEqual([
        [5, 6, []],
        [0, 11, [GAP]],
        [5, null, []],
      ]);
      expect((await ledger.headSearch.between(1, 15)).map(({ seq }) => seq)).toContain(15);
    }));

  test("does not say that there is no record that may be in it, and says so of another", () =>
    damaged(async (ledger, texts) => {
      const found = await Promise.all(texts.map((text) => ledger.search.find(JSON.parse(text).id)));
      expect(found).toEqual(texts.map((text, i) => (i >= 5 && i < 10 ? GAP : text)));
      const other = makeEntry(NOON + 2 * DAY);
      expect(await ledger.search.find(other.id)).toBeNull();
    }));

  test("does not keep a record of its time that is sent again from the ledger", () =>
    damaged(async (ledger) => {
      expect(await ledger.append(FI_ID, makeEntries(1, NOON + DAY + 2), true, NOON + 6 * DAY)).toEqual({ seq: 16 });
    }));

  test("is told to D1 by the next alarm, and named by doctor with its file", () =>
    damaged(async (ledger) => {
      await readAll(ledger);
      await ledger.keep(NOON + (file === INDEX ? 6 : 2) * DAY);
      expect(await told()).toEqual([{ fi: "PSDXX-TEST-FI0001", file, first_seq: 6, last_seq: 10, reason }]);
      const [finding] = await findDamage(env.DB, (words) => words);
      expect(finding?.message).toMatch(/^PSDXX-TEST-FI0001: records 6 to 10, of 2099-11-23T.+ are damaged: .+/);
      expect(finding?.message).toContain(file);
    }));
});

describe("the mark of a damage", () => {
  const lose = async (ledger: InstitutionLedger): Promise<Uint8Array<ArrayBuffer>> => {
    await threeDays(ledger);
    const bytes = await bytesOf(SEGMENT);
    await env.EVIDENCE.delete(SEGMENT);
    return bytes;
  };
  const NOW = NOON + 2 * DAY;

  test("sets the alarm at once, outlasts the object and an outage of D1, and the log names it once", () =>
    withLedger(async ({ ledger, storage, open }) => {
      await lose(ledger);
      await storage.deleteAlarm();
      const reader = open();
      await reader.search.range(6, 10);
      expect(await storage.getAlarm()).toBeLessThan(NOW);
      await open({ DB: failingDatabase(env.DB, () => true, "before") }).keep(NOW);
      expect([await told(), await storage.getAlarm()]).toEqual([[], NOW + 30_000]);
      const logged = vi.spyOn(console, "error").mockImplementation(() => {});
      const later = open();
      await later.keep(NOW + 30_000);
      await later.keep(NOW + 60_000);
      expect(await told()).toHaveLength(1);
      const lines = logged.mock.calls.map(([line]) => JSON.parse(line));
      expect(lines.filter(({ event }) => event === "ledger_damaged")).toEqual([
        expect.objectContaining({
          event: "ledger_damaged",
          fi: "PSDXX-TEST-FI0001",
          first_seq: 6,
          last_seq: 10,
          reason: "missing",
          file: SEGMENT,
        }),
      ]);
    }));

  test.each<[string, (ledger: InstitutionLedger) => Promise<unknown>]>([
    ["by the next read", (ledger) => ledger.search.range(6, 10)],
    ["by the alarm within an hour", async () => {}],
  ])("goes when the file is there again, %s", (_, read) =>
    withLedger(async ({ ledger, storage, open }) => {
      const bytes = await lose(ledger);
      await open().search.range(6, 10);
      await open().keep(NOW);
      expect([(await told()).length, await storage.getAlarm()]).toEqual([1, NOW + 3_600_000]);
      await env.EVIDENCE.put(SEGMENT, bytes);
      const later = open();
      await read(later);
      await later.keep(NOW + 3_600_000);
      await later.keep(NOW + 3_600_001);
      expect(await told()).toEqual([]);
    }),
  );

  test("goes with its day", () =>
    withLedger(
      async ({ ledger, open }) => {
        await lose(ledger);
        await open().search.range(6, 10);
        await open().keep(NOW);
        expect(await told()).toHaveLength(1);
        await open().keep(NOON + 40 * DAY);
        await open().keep(NOON + 40 * DAY + 1);
        expect(await told()).toEqual([]);
      },
      { EVIDENCE_RETENTION_DAYS: 30 },
    ));

  test("is not made by an outage of R2, which stays one", () =>
    withLedger(async ({ ledger, open }) => {
      await threeDays(ledger);
      const get = () => Promise.reject(new Error("R2 is not there"));
      const later = open({ EVIDENCE: { get } as unknown as R2Bucket });
      await expect(later.search.range(6, 10)).rejects.toThrow("R2 is not there");
      await expect(open({ EVIDENCE: undefined } as unknown as Partial<Env>).search.range(6, 10)).rejects.toThrow(
        "is not bound",
      );
      await later.keep(NOW);
      expect(await told()).toEqual([]);
    }));

  test("is not made by a day that is deleted between the look for it and its read", () =>
    withLedger(
      async ({ ledger, open }) => {
        await threeDays(ledger);
        const cleaner = open();
        let isCleaned = false;
        const get = async (key: string) => {
          if (!isCleaned) {
            isCleaned = true;
            await cleaner.keep(NOON + 31.5 * DAY);
          }
          return env.EVIDENCE.get(key);
        };
        const page = await open({ EVIDENCE: { get } as unknown as R2Bucket }).search.range(6, 10);
        expect(page).toMatchObject({ texts: [], gaps: [] });
        expect(await told()).toEqual([]);
      },
      { EVIDENCE_RETENTION_DAYS: 30 },
    ));
});

describe("over HTTP", () => {
  /** Records of the bank of a day that is over, in R2, and one of today. */
  async function closeDay(): Promise<{ readonly ids: readonly string[]; readonly file: string }> {
    const fiId = await idOf();
    const entries = makeEntries(3, Date.now(), { fi: SANDBOX_FI.fi_reference_id });
    const ledger = await ledgerOfBank();
    const { seq } = await ledger.append(fiId, entries, false);
    const now = Date.now();
    vi.spyOn(clock, "now").mockImplementation(() => now + DAY);
    await runInDurableObject(ledger, (object: Ledger) => object.alarm());
    vi.mocked(clock.now).mockRestore();
    return {
      ids: entries.map(({ id }) => id),
      file: `ledger/${fiId}/${String(seq - 2).padStart(12, "0")}.jsonl.gz`,
    };
  }

  test("a damaged segment is a gap in the list and an error of its own by id, not an outage; /health is degraded by it", async () => {
    const { ids, file } = await closeDay();
    const [, id] = ids;
    const health = async () => {
      memories.get("health")?.set("", { status: "down", reasons: [] }, 0, 0);
      return (await call("GET", "/health")).body.reasons;
    };
    expect(await health()).not.toContain("records_damaged");
    const bytes = await bytesOf(file);
    await env.EVIDENCE.delete(file);
    const listed = await call("GET", "/v1/audit/records");
    expect([listed.status, listed.body.gaps]).toEqual([
      200,
      [
        {
          first_seq: expect.any(Number),
          last_seq: expect.any(Number),
          from: expect.any(String),
          to: expect.any(String),
          reason: "missing",
        },
      ],
    ]);
    const found = await call("GET", `/v1/audit/records/${id}`);
    expect([found.status, codesOf(found), found.headers.get("Retry-After")]).toEqual([500, ["records_damaged"], null]);
    expect(found.body.errors[0].title).toContain("their file is missing");
    await vi.waitFor(async () => expect(await told()).toHaveLength(1), { timeout: 60_000 });
    expect(await health()).toContain("records_damaged");
    const { body } = await call("GET", "/status");
    const [reason] = body.reasons.filter(({ code }: { code: string }) => code === "records_damaged");
    // every institution reads it
    expect(reason.message).toMatch(/^3 records in 1 file of 1 ledger are damaged/);
    await env.EVIDENCE.put(file, bytes);
    expect((await call("GET", `/v1/audit/records/${id}`)).status).toBe(200);
    await vi.waitFor(async () => expect(await told()).toEqual([]), { timeout: 60_000 });
    expect(await health()).not.toContain("records_damaged");
  });
});
