/** What people did is found by who, what, PSP and day, and a page reads the same few rows however many there are. */
import { expect, test } from "vitest";
import type { Act, ActQuery } from "../../../../src/evidence/ledger/act-index.ts";
import type { LedgerEntry, LedgerEvent } from "../../../../src/evidence/ledger/record.ts";
import { DAY, FI_ID, makeEntries, makeEntry, NOON, type Opened, withLedger } from "./made-entries.ts";

const ANY: ActQuery = { who: null, event: null, psp: null, from: null, to: null, before: null, limit: 25 };
const PSPS = ["PSDXX-TEST-000001", "PSDXX-TEST-000002"];

const act = (time: number, person: string, event: LedgerEvent, psp: string | null = null): LedgerEntry =>
  makeEntry(time, { event, person, psp, endpoint: `POST /console/${event}`, status: 303 });

/** The whole list, by its pages. */
function readAll({ ledger }: Opened, query: Partial<ActQuery>): Act[] {
  const acts: Act[] = [];
  for (let before: ActQuery["before"] = null; ; ) {
    const page = ledger.acts.list({ ...ANY, ...query, before });
    acts.push(...page.acts);
    if (page.next === null) return acts;
    before = page.next;
  }
}

test("acts are found by each choice of filters, newest first, in pages that hold each once", async () => {
  await withLedger(async (opened) => {
    const made: LedgerEntry[] = [];
    // 120 of three people, three kinds and two PSPs, five in each millisecond
    for (let i = 0; i < 120; i++) {
      const event = (["block.change", "watch.change", "session.start"] as const)[i % 3] ?? "session.start";
      const psp = event === "session.start" ? null : (PSPS[i % 2] ?? null);
      made.push(act(NOON + Math.floor(i / 5), `p${i % 7}`, event, psp));
    }
    for (let i = 0; i < made.length; i += 16) await opened.ledger.append(FI_ID, made.slice(i, i + 16), false, NOON);
    await opened.ledger.append(FI_ID, makeEntries(3, NOON), false, NOON);
    const newestFirst = made.toReversed();
    for (const who of [null, "p3"])
      for (const event of [null, "block.change", "session.start"] as const)
        for (const psp of [null, PSPS[1] ?? null])
          for (const [from, to] of [
            [null, null],
            [NOON + 4, NOON + 17],
          ] as const) {
            const isMeant = (entry: LedgerEntry) =>
              (who === null || entry.person === who) &&
              (event === null || entry.event === event) &&
              (psp === null || entry.psp === psp) &&
              (from === null || (Date.parse(entry.time) >= from && Date.parse(entry.time) < to));
            const found = readAll(opened, { who: who && `person:${who}`, event, psp, from, to, limit: 7 });
            expect(found.map(({ id }) => id)).toEqual(newestFirst.filter(isMeant).map(({ id }) => id));
          }
  });
});

test("a page of 25 reads 51 rows, whatever the filters and however many acts there are", async () => {
  await withLedger(async ({ storage, open, ledger }) => {
    // of two kinds of one person about one PSP: each filter finds half of them at the least
    const count = 3_000;
    for (let i = 0; i < count; i += 500) {
      const batch = Array.from({ length: 500 }, (_, k) =>
        act(NOON + i + k, "p", k % 2 ? "block.change" : "watch.change", PSPS[0]),
      );
      await ledger.append(FI_ID, batch, false, NOON);
    }
    let rows = 0;
    const sql = new Proxy(storage.sql, {
      get: (target, name) =>
        name === "exec"
          ? (text: string, ...values: unknown[]) => {
              const cursor = target.exec(text, ...values);
              const all = cursor.toArray();
              if (text.includes("acts")) rows += cursor.rowsRead;
              return all;
            }
          : Reflect.get(target, name, target),
    });
    const view = new Proxy(storage, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        return name === "sql" ? sql : typeof value === "function" ? value.bind(target) : value;
      },
    });
    const { acts } = open({}, view);
    for (const who of [null, "person:p"])
      for (const event of [null, "block.change"] as const)
        for (const psp of [null, PSPS[0] ?? null])
          for (const at of [null, NOON + count / 2])
            for (const before of [null, at === null ? null : { time: at - 100, seq: 9e9 }]) {
              rows = 0;
              const page = acts.list({ ...ANY, who, event, psp, from: at && at - DAY, to: at, before });
              expect([page.acts.length, rows]).toEqual([25, 51]);
            }
  });
});

test("a withdrawal is found by each PSP whose permission ended, with at most eight rows for one PSP", async () => {
  await withLedger(async (opened) => {
    const { ledger, storage } = opened;
    const countRows = () => [...storage.sql.exec<{ rows: number }>("SELECT count(*) AS rows FROM acts")][0]?.rows;
    await ledger.append(FI_ID, [act(NOON, "p", "block.change", PSPS[0])], false, NOON);
    expect(countRows()).toBe(8);
    const permissions = PSPS.map((psp) => ({ id: psp, psp, scope: "accounts" as const }));
    const ended = { permissions, tokens: [], more: { permissions: 0, tokens: 0 } };
    const withdrawal = { ...act(NOON + 1, "p", "consent.revocation"), ended };
    await ledger.append(FI_ID, [withdrawal], false, NOON);
    for (const psp of PSPS)
      expect(readAll(opened, { psp, event: "consent.revocation" }).map(({ id }) => id)).toEqual([withdrawal.id]);
  });
});

test("an act that is sent again is in the list once, and none is without its record", async () => {
  await withLedger(async (opened) => {
    const { ledger, storage, open } = opened;
    const entries = [act(NOON, "p", "block.change"), makeEntry(NOON), act(NOON, "q", "watch.change")];
    for (const again of [false, true, false]) await ledger.append(FI_ID, entries, again, NOON);
    expect(readAll(opened, {}).map(({ person }) => person)).toEqual(["q", "p"]);
    // the statement of the record fails: its act is not there either
    const failing = new Proxy(storage.sql, {
      get: (target, name) =>
        name === "exec"
          ? (text: string, ...values: unknown[]) => {
              if (text.startsWith("INSERT INTO batches")) throw new Error("the statement failed");
              return target.exec(text, ...values);
            }
          : Reflect.get(target, name, target),
    });
    const view = new Proxy(storage, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        return name === "sql" ? failing : typeof value === "function" ? value.bind(target) : value;
      },
    });
    await expect(open({}, view).append(FI_ID, [act(NOON, "r", "block.change")], false, NOON)).rejects.toThrow();
    expect(readAll(opened, {})).toHaveLength(2);
    await open().append(FI_ID, [act(NOON, "r", "block.change")], false, NOON);
    expect(readAll(opened, {}).map(({ person }) => person)).toEqual(["r", "q", "p"]);
  });
});

test("acts go when their records do, and the newer ones stay", async () => {
  await withLedger(async (opened) => {
    const { ledger, storage } = opened;
    const late = NOON + 3 * DAY;
    // more than one alarm deletes
    const old = Array.from({ length: 300 }, (_, i) => act(NOON + i, "p", "block.change", PSPS[0]));
    await ledger.append(FI_ID, old, false, NOON);
    await ledger.append(FI_ID, [act(late, "p", "block.change", PSPS[0])], false, late);
    for (let hour = 0; hour < 6; hour++) await ledger.keep(late + hour);
    expect(readAll(opened, { limit: 100 })).toHaveLength(301);
    const after = NOON + 2_558 * DAY;
    for (let hour = 0; hour < 6; hour++) await ledger.keep(after + hour);
    expect(ledger.kept).toBe(1);
    expect(readAll(opened, { psp: PSPS[0] ?? null }).map(({ time }) => Date.parse(time))).toEqual([late]);
    expect([...storage.sql.exec<{ rows: number }>("SELECT count(*) AS rows FROM acts")][0]?.rows).toBe(8);
  });
});
