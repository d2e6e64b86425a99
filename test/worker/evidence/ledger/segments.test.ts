/** Closed segments: when they are closed, how they move to R2, what a failure leaves, and how long they are kept. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { checkChain } from "../../../../src/evidence/ledger/chain.ts";
import { ClosedSegments } from "../../../../src/evidence/ledger/closed-segments.ts";
import { DamageMarks } from "../../../../src/evidence/ledger/damage-marks.ts";
import type { InstitutionLedger } from "../../../../src/evidence/ledger/institution-ledger.ts";
import type { CheckedCertificate, LedgerEntry, LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import { SEGMENT_RECORDS } from "../../../../src/evidence/ledger/record.ts";
import { SegmentPlaces } from "../../../../src/evidence/ledger/segment-places.ts";
import { DAY, FI_ID, makeEntries, makeEntry, NOON, withLedger } from "./made-entries.ts";
import { EVERYTHING } from "./records.ts";

beforeEach(async () => {
  for (const { key } of (await env.EVIDENCE.list()).objects) await env.EVIDENCE.delete(key);
});

const files = async () =>
  (await env.EVIDENCE.list({ prefix: `ledger/${FI_ID}/` })).objects.map(({ key }) =>
    key.slice(`ledger/${FI_ID}/`.length),
  );
const rows = (storage: DurableObjectStorage, table: string) =>
  storage.sql.exec<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`).one().rows;

/** All records, by pages as an export reads them. */
async function readAll(ledger: InstitutionLedger): Promise<string[]> {
  const all: string[] = [];
  for (let from: number | null = 1; from !== null; ) {
    const { texts, next } = await ledger.search.range(from, Number.MAX_SAFE_INTEGER);
    all.push(...texts);
    from = next;
  }
  return all;
}
async function listAll(ledger: InstitutionLedger, query: object = {}): Promise<number[]> {
  const all: number[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const { texts, next } = await ledger.search.list({ ...EVERYTHING, limit: 3, ...query, before: before ?? null });
    all.push(...texts.map((text) => (JSON.parse(text) as LedgerRecord).seq));
    before = next;
  }
  return all;
}
const idOf = (text: string | undefined) => (JSON.parse(text ?? "{}") as LedgerRecord).id;

/** The same entry under another id. */
const renamed = (entry: LedgerEntry): LedgerEntry => ({ ...entry, id: makeEntry(NOON).id });

/** Three days with five records each, the last one open. */
async function threeDays(ledger: InstitutionLedger): Promise<void> {
  for (const day of [0, 1, 2]) {
    const now = NOON + day * DAY;
    await ledger.keep(now);
    await ledger.append(FI_ID, makeEntries(5, now, { psp: `PSDXX-TEST-${day}` }), false, now);
  }
  await ledger.keep(NOON + 2 * DAY);
}
const WHOLE = { ok: true, end: { seq: 15 } };

/** The bucket, with methods of our own. */
const bucketWith = (methods: Partial<R2Bucket>): { EVIDENCE: R2Bucket } => ({
  EVIDENCE: new Proxy(env.EVIDENCE, {
    get: (bucket, name) => {
      const own = Reflect.get(methods, name) ?? Reflect.get(bucket, name, bucket);
      return typeof own === "function" ? own.bind(bucket) : own;
    },
  }),
});
/** The bucket, and the keys that were got from it. */
function listening() {
  const got: string[] = [];
  const get = (key: string) => {
    got.push(key.slice(`ledger/${FI_ID}/`.length));
    return env.EVIDENCE.get(key);
  };
  return { got, bindings: bucketWith({ get } as unknown as Partial<R2Bucket>) };
}

describe("a segment", () => {
  test("is closed when its day is over, moves to R2, and is read from there", () =>
    withLedger(async ({ ledger, storage, open }) => {
      await threeDays(ledger);
      expect(await files()).toEqual([
        "000000000001.jsonl.gz",
        "000000000006.jsonl.gz",
        "index/2099-11-22.json.gz",
        "index/2099-11-23.json.gz",
      ]);
      expect([rows(storage, "segment_bytes"), rows(storage, "batches")]).toEqual([0, 1]);
      for (const one of [ledger, open()]) {
        const texts = await readAll(one);
        expect(checkChain(texts)).toMatchObject(WHOLE);
        expect(await listAll(one)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
        expect(await listAll(one, { psp: "PSDXX-TEST-0" })).toEqual([5, 4, 3, 2, 1]);
        expect(await listAll(one, { from: NOON + DAY, to: NOON + DAY + 2 })).toEqual([7, 6]);
        for (const text of texts) expect(await one.search.find(idOf(text))).toBe(text);
        expect((await one.headSearch.between(1, 15)).filter(({ jws }) => jws !== null).map(({ seq }) => seq)).toEqual([
          5, 10, 15,
        ]);
      }
      expect(
        await ledger.append(FI_ID, [JSON.parse((await readAll(ledger))[2] ?? "") as LedgerEntry], true, NOON + 2 * DAY),
      ).toEqual({ seq: 15 });
    }));

  test("is found by the files of days when its rows are gone", () =>
    withLedger(async ({ ledger, storage, open }) => {
      await threeDays(ledger);
      const texts = await readAll(ledger);
      await ledger.keep(NOON + 6 * DAY);
      // but for the newest, by which the chain goes on
      expect(rows(storage, "segments")).toBe(1);
      const later = open();
      expect(checkChain(await readAll(later))).toMatchObject(WHOLE);
      expect(await listAll(later)).toHaveLength(15);
      expect(await listAll(later, { psp: "PSDXX-TEST-1" })).toEqual([10, 9, 8, 7, 6]);
      expect(await listAll(later, { psp: "constructor" })).toEqual([]);
      expect(await later.search.find(idOf(texts[1]))).toBe(texts[1]);
      expect((await later.headSearch.between(1, 15)).map(({ seq }) => seq)).toEqual([5, 10, 15]);
      expect(await later.append(FI_ID, makeEntries(1, NOON + 6 * DAY), false, NOON + 6 * DAY)).toEqual({ seq: 16 });
      expect(checkChain(await readAll(open()))).toMatchObject({ ok: true, end: { seq: 16 } });
    }));

  test("has its head listed with those of its day by one read of the day's file, however many there are", () =>
    withLedger(async ({ ledger, open }) => {
      for (let i = 0; i < 17; i++) await ledger.append(FI_ID, makeEntries(512, NOON + 1_000 * i), false, NOON);
      await ledger.keep(NOON + DAY);
      await ledger.append(FI_ID, makeEntries(1, NOON + DAY), false, NOON + DAY);
      await ledger.keep(NOON + 6 * DAY);
      const read: string[] = [];
      const get = (key: string) => {
        read.push(key);
        return env.EVIDENCE.get(key);
      };
      const later = open({ EVIDENCE: { get } as unknown as R2Bucket });
      const seqs = (await later.headSearch.between(1, 9_000)).map(({ seq }) => seq);
      expect(seqs).toEqual([SEGMENT_RECORDS, 2 * SEGMENT_RECORDS, 8_704, 8_705]);
      expect(read).toHaveLength(1);
    }));

  test(`is closed with ${SEGMENT_RECORDS} records, while others arrive`, () =>
    withLedger(async ({ ledger, storage }) => {
      for (let i = 0; i < 9; i++) await ledger.append(FI_ID, makeEntries(512, NOON + 1_000 * i), false, NOON);
      expect(await storage.getAlarm()).toBe(NOON);
      await Promise.all([ledger.keep(NOON), ledger.append(FI_ID, makeEntries(3, NOON + 10_000), false, NOON)]);
      expect(await files()).toEqual(["000000000001.jsonl.gz"]);
      expect(rows(storage, "batches")).toBe(2);
      const texts = await readAll(ledger);
      expect(checkChain(texts)).toMatchObject({ ok: true, end: { seq: 4_611 } });
      expect(await listAll(ledger, { limit: 1_000 })).toHaveLength(4_611);
      expect(ledger.traffic.read(0, NOON + DAY).map(({ requests }) => requests)).toEqual([4_611]);
    }));

  // its id is of the request's arrival, its time of the body's
  test("has the first record of a day by its id, also if the request's body came late", () =>
    withLedger(async ({ ledger, open }) => {
      const late = makeEntry(NOON, { time: new Date(NOON + 40).toISOString() });
      await ledger.append(FI_ID, [late], false, NOON);
      await ledger.keep(NOON + DAY);
      expect(await open().search.find(late.id)).toContain(JSON.stringify(late).slice(1));
      expect(await open().append(FI_ID, [late], true, NOON + DAY)).toEqual({ seq: 1 });
    }));

  test("is opened once for all records that are sent again together", () =>
    withLedger(async ({ ledger, open }) => {
      const entries = makeEntries(60, NOON);
      await ledger.append(FI_ID, entries, false, NOON);
      await ledger.keep(NOON + DAY);
      const { got, bindings } = listening();
      const again = [...entries, ...makeEntries(2, NOON + DAY)];
      expect(await open(bindings).append(FI_ID, again, true, NOON + DAY)).toEqual({ seq: 62 });
      expect(got).toEqual(["000000000001.jsonl.gz"]);
    }));

  test("has the records of a first attempt that comes after the second one and after the day: none is there twice", () =>
    withLedger(async ({ ledger, open }) => {
      const entries = makeEntries(3, NOON);
      await ledger.append(FI_ID, entries, true, NOON);
      await ledger.keep(NOON + DAY);
      for (const each of [ledger, open()])
        expect(await each.append(FI_ID, entries, false, NOON + DAY)).toEqual({ seq: 3 });
      expect(await readAll(ledger)).toHaveLength(3);
    }));

  test("of a day that is gone through for heads: its index is read once", () =>
    withLedger(async ({ ledger, open }) => {
      for (let i = 0; i < 9; i++) await ledger.append(FI_ID, makeEntries(512, NOON + 1_000 * i), false, NOON);
      for (const day of [1, 2, 3, 7]) {
        await ledger.keep(NOON + day * DAY);
        await ledger.append(FI_ID, makeEntries(1, NOON + day * DAY), false, NOON + day * DAY);
      }
      const { got, bindings } = listening();
      expect((await open(bindings).headSearch.between(1, 4_608)).map(({ seq }) => seq)).toEqual([4_096, 4_608]);
      expect(got).toEqual(["index/2099-11-22.json.gz"]);
    }));

  test("of a PSP that hardly occurs is looked for in steps, and found", () =>
    withLedger(async ({ ledger, open }) => {
      for (let day = 0; day < 104; day++) {
        const now = NOON + day * DAY;
        await ledger.keep(now);
        await ledger.append(FI_ID, makeEntries(1, now, day === 0 ? { psp: "PSDXX-RARE-1" } : {}), false, now);
      }
      await ledger.keep(NOON + 110 * DAY);
      const { got, bindings } = listening();
      const later = open(bindings);
      const rare = { ...EVERYTHING, psp: "PSDXX-RARE-1" };
      const { texts, next } = await later.search.list(rare);
      expect([texts, got.length]).toEqual([[], 100]);
      const found = await later.search.list({ ...rare, before: next });
      expect([found.texts.map((text) => JSON.parse(text).seq), found.next]).toEqual([[1], null]);
    }));

  // the platform limits a row to 2 MB, workerd does not
  test("is split where it does not fit a row of the object's database", () =>
    withLedger(async ({ open, storage }) => {
      // as random bytes are: three quarters of their text are left when it is compressed
      const noise = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(45_000))));
      const entries = () => makeEntries(1, NOON, { outcome: noise() });
      // R2 is away: the rows stay
      const ledger = open({ EVIDENCE: undefined } as unknown as Partial<Env>);
      const batch = Array.from({ length: 8 }, entries).flat();
      for (let i = 0; i < 9; i++) await ledger.append(FI_ID, batch.map(renamed), false, NOON);
      await ledger.keep(NOON);
      const stored = [
        ...storage.sql.exec(
          "SELECT s.first_seq, s.last_seq, s.bytes FROM segments s JOIN segment_bytes USING (first_seq)",
        ),
      ];
      expect(stored).toEqual([{ first_seq: 1, last_seq: 40, bytes: expect.toSatisfy((bytes) => bytes < 1_900_000) }]);
      expect(rows(storage, "batches")).toBe(4);
      expect(checkChain(await readAll(open()))).toMatchObject({ ok: true, end: { seq: 72 } });
    }));
});

// each number is in a certificate that anybody can make
test("a segment that names more PSPs than fit a row is split, too", () =>
  withLedger(async ({ ledger, storage, open }) => {
    let made = 0;
    const check = () =>
      ({ psp: `PSDXX-TEST-${++made}${"数".repeat(110)}`, verdicts: [], decisions: [] }) as Partial<CheckedCertificate>;
    const entry = () => makeEntries(1, NOON, { checks: Array.from({ length: 50 }, check) as CheckedCertificate[] });
    for (let i = 0; i < 8; i++) await ledger.append(FI_ID, Array.from({ length: 20 }, entry).flat(), false, NOON);
    await ledger.keep(NOON + DAY);
    const sizes = storage.sql.exec<{ bytes: number }>("SELECT length(CAST(psps AS BLOB)) AS bytes FROM segments");
    expect([...sizes].map(({ bytes }) => bytes < 2_000_000)).toEqual([true, true]);
    expect(checkChain(await readAll(open()))).toMatchObject({ ok: true, end: { seq: 160 } });
  }));

describe("a failure of R2", () => {
  const down = async () => {
    throw new Error("R2 is not there");
  };
  const quiet = () => vi.spyOn(console, "error").mockImplementation(() => {});

  test.each<[string, Partial<R2Bucket>]>([
    ["before a file is stored", { put: down }],
    [
      "after it is stored, before that is known",
      {
        put: async (...args: Parameters<R2Bucket["put"]>) => {
          await env.EVIDENCE.put(...args);
          return down();
        },
      } as Partial<R2Bucket>,
    ],
  ])("%s: nothing is lost, and the next alarm goes on", (_, methods) =>
    withLedger(async ({ open, storage }) => {
      const logged = quiet();
      const ledger = open(bucketWith(methods));
      await threeDays(ledger);
      expect(rows(storage, "segment_bytes")).toBe(2);
      expect(await storage.getAlarm()).toBe(NOON + 2 * DAY + 30_000);
      expect(checkChain(await readAll(ledger))).toMatchObject(WHOLE);
      expect(JSON.parse(String(logged.mock.calls.at(-1)?.[0]))).toMatchObject({ event: "ledger_files" });
      logged.mockRestore();
      const later = open();
      await later.keep(NOON + 2 * DAY + 30_000);
      expect(rows(storage, "segment_bytes")).toBe(0);
      expect(await files()).toHaveLength(4);
      expect(checkChain(await readAll(later))).toMatchObject(WHOLE);
    }),
  );

  test("another content under the name of a segment: it is not written over, and ours stays", () =>
    withLedger(async ({ ledger, storage }) => {
      const logged = quiet();
      await env.EVIDENCE.put(`ledger/${FI_ID}/000000000001.jsonl.gz`, "forged");
      await threeDays(ledger);
      expect(String(logged.mock.calls.at(-1)?.[0])).toContain("holds something else");
      logged.mockRestore();
      expect(rows(storage, "segment_bytes")).toBe(2);
      expect(checkChain(await readAll(ledger))).toMatchObject(WHOLE);
    }));

  test("for so long that the object would be full: the oldest go, and the log says so", () =>
    withLedger(async ({ open, storage }) => {
      const logged = quiet();
      const ledger = open(bucketWith({ put: down }));
      await threeDays(ledger);
      // as if they were as large
      storage.sql.exec("UPDATE segment_bytes SET bytes = 4 * 1024 * 1024 * 1024");
      await ledger.keep(NOON + 2 * DAY);
      expect(rows(storage, "segment_bytes")).toBe(2);
      storage.sql.exec("UPDATE segment_bytes SET bytes = bytes + 1");
      await ledger.keep(NOON + 2 * DAY);
      expect(logged.mock.calls.map(([line]) => JSON.parse(line)).at(-1)).toMatchObject({
        ...{ event: "ledger_full", fi: "PSDXX-TEST-FI0001", segments: 1 },
      });
      logged.mockRestore();
      expect(await listAll(ledger)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6]);
    }));

  test("while a day is deleted: it is no more read, and the next alarm deletes the rest", () =>
    withLedger(
      async ({ ledger, open }) => {
        const logged = quiet();
        await threeDays(ledger);
        let deletions = 0;
        const last = open(bucketWith({ delete: (keys) => (++deletions === 2 ? down() : env.EVIDENCE.delete(keys)) }));
        await last.keep(NOON + 30.5 * DAY);
        logged.mockRestore();
        expect(await files()).toContain("index/2099-11-22.json.gz");
        expect(await listAll(last)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6]);
        await open().keep(NOON + 30.5 * DAY);
        expect((await files())[0]).toBe("000000000006.jsonl.gz");
        expect(await files()).not.toContain("index/2099-11-22.json.gz");
      },
      { EVIDENCE_RETENTION_DAYS: 30 },
    ));

  test("what an interrupted attempt of another release has left of an index is written over", () =>
    withLedger(async ({ ledger, storage, open }) => {
      await env.EVIDENCE.put(`ledger/${FI_ID}/index/2099-11-22.json.gz`, "the same in other bytes");
      await threeDays(ledger);
      await ledger.keep(NOON + 6 * DAY);
      expect(rows(storage, "segments")).toBe(1);
      expect(await listAll(open())).toHaveLength(15);
    }));
});

describe("without R2", () => {
  test("segments stay in the object, and the oldest go beyond its limit", () =>
    withLedger(async ({ open, storage }) => {
      const without = { EVIDENCE: undefined } as unknown as Partial<Env>;
      const ledger = open(without);
      await threeDays(ledger);
      expect(checkChain(await readAll(open(without)))).toMatchObject(WHOLE);
      expect(await listAll(ledger, { psp: "PSDXX-TEST-0" })).toEqual([5, 4, 3, 2, 1]);
      expect(await ledger.state(NOON + 2 * DAY)).toMatchObject({ keptFrom: 1, waiting: { segments: 2 } });
      const ring = async () => {};
      expect(
        new ClosedSegments(
          storage.sql,
          new SegmentPlaces(storage.sql, new DamageMarks(storage.sql, { ring })),
        ).dropOldest(false, 1),
      ).toBe(1);
      const left = open(without);
      expect(await left.state(NOON + 2 * DAY)).toMatchObject({ seq: 15, keptFrom: 6 });
      expect(await listAll(left)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6]);
      expect((await left.search.range(1, 100)).texts.map((text) => (JSON.parse(text) as LedgerRecord).seq)).toEqual([
        6, 7, 8, 9, 10,
      ]);
    }));
});

test.each([undefined, "seven years", Number.NaN, 0, -1, 1e12])(
  "EVIDENCE_RETENTION_DAYS that is %s lets nothing go",
  (days) =>
    withLedger(
      async ({ ledger, storage, open }) => {
        await threeDays(ledger);
        await ledger.keep(NOON + 40 * DAY);
        expect(await listAll(open())).toHaveLength(15);
        expect(await storage.getAlarm()).toBe(Date.parse("2100-01-02T00:00:00Z"));
      },
      { EVIDENCE_RETENTION_DAYS: days } as unknown as Partial<Env>,
    ),
);

test("what is older than EVIDENCE_RETENTION_DAYS goes, day by day, and the chain goes on", () =>
  withLedger(
    async ({ ledger, open }) => {
      await threeDays(ledger);
      await ledger.keep(NOON + 31.5 * DAY);
      expect(await files()).toEqual(["000000000011.jsonl.gz", "index/2099-11-24.json.gz"]);
      expect(await listAll(open())).toEqual([15, 14, 13, 12, 11]);
      expect(await open().state(NOON + 31.5 * DAY)).toMatchObject({ seq: 15, keptFrom: 11 });
      await ledger.keep(NOON + 40 * DAY);
      expect(await files()).toEqual([]);
      const later = open();
      expect([await listAll(later), await later.state(NOON + 40 * DAY)]).toMatchObject([
        [],
        { seq: 15, keptFrom: null },
      ]);
      expect(await later.append(FI_ID, makeEntries(1, NOON + 40 * DAY), false, NOON + 40 * DAY)).toEqual({ seq: 16 });
      expect(await listAll(open())).toEqual([16]);
    },
    { EVIDENCE_RETENTION_DAYS: 30 },
  ));
