/** The chain of one institution: numbers, hashes, what is sent twice, heads, and what an eviction leaves. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { checkChain, hashRecord } from "../../../../src/evidence/ledger/chain.ts";
import type { Head } from "../../../../src/evidence/ledger/head.ts";
import { verifyHead } from "../../../../src/evidence/ledger/head.ts";
import type { Ledger } from "../../../../src/evidence/ledger/ledger.ts";
import type { CheckedCertificate, LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import { UNVERIFIED } from "../../../../src/evidence/ledger/traffic.ts";
import { readSigningKeys } from "../../../../src/evidence/signatures/signing-keys.ts";
import { DAY, FI_ID, MINUTE, makeEntries, makeEntry, NO_SIGNING_KEY, NOON, withLedger } from "./made-entries.ts";
import { EVERYTHING } from "./records.ts";

const ALL = [1, Number.MAX_SAFE_INTEGER] as const;

test("an object whose storage failed when it was opened is opened again by the next call, and so by the next try of its alarm", async () => {
  const id = env.LEDGER.newUniqueId();
  await runInDurableObject(env.LEDGER.get(id), async (object: Ledger, { storage }) => {
    const exec = vi.spyOn(storage.sql, "exec").mockImplementationOnce(() => {
      throw new Error("internal error");
    });
    await expect(object.alarm()).rejects.toThrow("internal error");
    exec.mockRestore();
    await object.alarm();
    expect(await object.append(FI_ID, makeEntries(1, NOON), false)).toEqual({ seq: 1 });
  });
});

describe("appends", () => {
  test("are numbered and chained across batches and evictions", () =>
    withLedger(async ({ ledger, open }) => {
      expect(await ledger.append(FI_ID, makeEntries(3, NOON), false, NOON)).toEqual({ seq: 3 });
      await ledger.append(FI_ID, makeEntries(2, NOON + 10), false, NOON);
      const later = open();
      expect(await later.append(FI_ID, makeEntries(1, NOON + 20), false, NOON)).toEqual({ seq: 6 });
      const { texts, next } = await later.search.range(...ALL);
      expect([texts.length, next]).toEqual([6, null]);
      const end = { seq: 6, hash: hashRecord(texts.at(-1) ?? "") };
      expect(checkChain(texts)).toEqual({ ok: true, end });
    }));

  test("that are sent again are kept once, also by an object that was evicted", () =>
    withLedger(async ({ ledger, open }) => {
      const entries = makeEntries(3, NOON);
      await ledger.append(FI_ID, entries, false, NOON);
      expect(await ledger.append(FI_ID, entries, true, NOON)).toEqual({ seq: 3 });
      expect(await open().append(FI_ID, [...entries, ...makeEntries(1, NOON + 9)], true, NOON)).toEqual({ seq: 4 });
      // the attempt of before that comes late
      expect(await open().append(FI_ID, entries, false, NOON)).toEqual({ seq: 4 });
    }));

  test("of one record, late and beside the attempt in which it travels with another, leave it once", () =>
    withLedger(async ({ ledger }) => {
      const [first, second] = [makeEntry(NOON), makeEntry(NOON + 1)];
      const batches = [[first, second], [second], [second, first], [first]];
      await Promise.all(batches.map((batch) => ledger.append(FI_ID, batch, true, NOON)));
      expect(await ledger.append(FI_ID, [second], true, NOON)).toEqual({ seq: 2 });
    }));

  test("write one row for all that travels together", () =>
    withLedger(async ({ ledger, storage }) => {
      await ledger.append(FI_ID, makeEntries(1, NOON), false, NOON);
      const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
      const real = storage.sql.exec.bind(storage.sql);
      const spy = vi.spyOn(storage.sql, "exec").mockImplementation((...given) => {
        const cursor = real(...given);
        cursors.push(cursor);
        return cursor as never;
      });
      await ledger.append(FI_ID, makeEntries(100, NOON + 10), false, NOON);
      spy.mockRestore();
      const rows = (name: "rowsRead" | "rowsWritten") => cursors.reduce((sum, cursor) => sum + cursor[name], 0);
      expect([rows("rowsWritten"), rows("rowsRead")]).toEqual([1, 1]);
    }));

  test("of one moment do not mix", () =>
    withLedger(async ({ ledger }) => {
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => ledger.append(FI_ID, makeEntries(3, NOON + 10 * i), false, NOON)),
      );
      const { texts } = await ledger.search.range(...ALL);
      expect(checkChain(texts)).toMatchObject({ ok: true, end: { seq: 60 } });
    }));
});

describe("reads", () => {
  test("list the newest first, by pages, and by what is asked for", () =>
    withLedger(async ({ ledger }) => {
      await ledger.append(FI_ID, makeEntries(5, NOON), false, NOON);
      await ledger.append(
        FI_ID,
        makeEntries(5, NOON + MINUTE, { outcome: "certificate_revoked", psp: "PSDFI-X-1" }),
        false,
        NOON,
      );
      const seqs = async (query: object) => {
        const { texts, next } = await ledger.search.list({ ...EVERYTHING, ...query });
        return [texts.map((text) => (JSON.parse(text) as LedgerRecord).seq), next];
      };
      expect(await seqs({})).toEqual([[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], null]);
      expect(await seqs({ limit: 4 })).toEqual([[10, 9, 8, 7], 7]);
      expect(await seqs({ limit: 4, before: 7 })).toEqual([[6, 5, 4, 3], 3]);
      expect(await seqs({ limit: 2, before: 3 })).toEqual([[2, 1], 1]);
      expect(await seqs({ limit: 2, before: 1 })).toEqual([[], null]);
      expect(await seqs({ psp: "PSDFI-X-1", limit: 2 })).toEqual([[10, 9], 9]);
      expect(await seqs({ outcome: "ok" })).toEqual([[5, 4, 3, 2, 1], null]);
      expect(await seqs({ from: NOON + 2, to: NOON + 4 })).toEqual([[4, 3], null]);
      expect(await seqs({ endpoint: "POST /v1/oauth2/tokens" })).toEqual([[], null]);
    }));
});

describe("heads", () => {
  const keys = readSigningKeys(env).published;
  const verified = (head: Head | null) => verifyHead(head?.jws ?? "", keys);

  test("sign the end, name the institution, and are made again only when there is more", () =>
    withLedger(async ({ ledger }) => {
      expect(ledger.head(NOON)).toBeNull();
      await ledger.append(FI_ID, makeEntries(2, NOON), false, NOON);
      const head = ledger.head(NOON);
      const { texts } = await ledger.search.range(...ALL);
      const time = new Date(NOON).toISOString();
      const signed = { fi: "PSDXX-TEST-FI0001", seq: 2, hash: hashRecord(texts[1] ?? ""), time };
      expect(verified(head)).toMatchObject({ ok: true, head: signed, kid: keys.at(-1)?.kid });
      expect(ledger.head(NOON + MINUTE)).toEqual(head);
      await ledger.append(FI_ID, makeEntries(1, NOON + 5), false, NOON);
      expect(ledger.head(NOON + MINUTE)).toMatchObject({ seq: 3, time: NOON + MINUTE });
    }));

  test("are signed within a minute of a record, by the alarm", () =>
    withLedger(async ({ ledger, storage }) => {
      await ledger.append(FI_ID, makeEntries(1, NOON), false, NOON);
      const at = (await storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
      expect(at - NOON).toBeLessThanOrEqual(MINUTE);
      // of a record that comes later: no later alarm
      await ledger.append(FI_ID, makeEntries(1, NOON + 30_000), false, NOON + 30_000);
      expect(await storage.getAlarm()).toBe(at);
      await ledger.keep(at);
      expect((await ledger.headSearch.between(...ALL)).map(({ seq, time }) => [seq, time])).toEqual([[2, at]]);
    }));

  test("without a signing key have no signature; the first key signs the end", () =>
    withLedger(async ({ open }) => {
      const ledger = open(NO_SIGNING_KEY);
      await ledger.append(FI_ID, makeEntries(1, NOON), false, NOON);
      expect(ledger.head(NOON)).toMatchObject({ seq: 1, jws: null });
      expect(verified(open().head(NOON + 1))).toMatchObject({ ok: true });
    }));

  test("of a segment that was closed without a signing key: the first key signs its end, too", () =>
    withLedger(async ({ open }) => {
      const ledger = open(NO_SIGNING_KEY);
      await ledger.append(FI_ID, makeEntries(1, NOON), false, NOON);
      await ledger.keep(NOON + DAY);
      expect(await ledger.headSearch.between(...ALL)).toMatchObject([{ seq: 1, jws: null }]);
      const signed = open();
      const head = signed.head(NOON + DAY);
      expect(verified(head)).toMatchObject({ ok: true });
      expect(await signed.headSearch.between(...ALL)).toEqual([head]);
    }));

  test("of records that were closed long before the first key: the first signed one covers them", () =>
    withLedger(async ({ open }) => {
      const unsigned = open(NO_SIGNING_KEY);
      for (const day of [0, 1, 2, 3]) {
        await unsigned.append(FI_ID, makeEntries(2, NOON + day * DAY), false, NOON + day * DAY);
        await unsigned.keep(NOON + (day + 1) * DAY);
      }
      expect((await unsigned.headSearch.between(1, 2)).filter(({ jws }) => jws !== null)).toEqual([]);
      const signed = open();
      const head = signed.head(NOON + 4 * DAY);
      expect((await signed.headSearch.between(1, 2)).filter(({ jws }) => jws !== null)).toEqual([head]);
      // that of a segment comes first, also when the minutes' heads are gone
      await signed.append(FI_ID, makeEntries(2, NOON + 4 * DAY), false, NOON + 4 * DAY);
      await signed.keep(NOON + 5 * DAY);
      await signed.append(FI_ID, makeEntries(2, NOON + 8 * DAY), false, NOON + 8 * DAY);
      await signed.keep(NOON + 8 * DAY);
      const seqs = (await open().headSearch.between(1, 2)).flatMap(({ seq, jws }) => (jws === null ? [] : [seq]));
      expect(seqs).toEqual([10]);
    }));

  test("that a clock signed which was further behind than the tolerance are signed again when it is right", () =>
    withLedger(async ({ open }) => {
      const made = (keys.at(-1)?.nbf ?? 0) * 1000;
      const ledger = open();
      await ledger.append(FI_ID, makeEntries(2, made), false, made);
      const first = ledger.head(made - 300_001);
      expect(verified(first)).toMatchObject({ ok: false, reason: expect.stringContaining("did not sign") });
      // that clock cannot do better
      expect(ledger.head(made - 300_001)).toEqual(first);
      const again = open().head(made);
      expect(verified(again)).toMatchObject({ ok: true, head: { seq: 2 } });
      expect(open().head(made + MINUTE)).toEqual(again);
      expect(await open().headSearch.between(...ALL)).toEqual([again]);
    }));

  test("are signed again after a key that nobody can read: the alarm does not end with its failures", () =>
    withLedger(async ({ open, storage }) => {
      const logged = vi.spyOn(console, "error").mockImplementation(() => {});
      const ledger = open({ SIGNING_KEY_broken: "broken" } as unknown as Partial<Env>);
      await ledger.append(FI_ID, makeEntries(1, NOON), false, NOON);
      // as when it rings
      await storage.deleteAlarm();
      await ledger.keep(NOON + MINUTE);
      expect(JSON.parse(String(logged.mock.calls[0]?.[0]))).toMatchObject({ event: "ledger_alarm" });
      logged.mockRestore();
      expect(await storage.getAlarm()).toBe(NOON + MINUTE + 30_000);
    }));

  test("are signed after all if the platform gave the alarm up: whoever asks how far the ledger is sets it again", () =>
    withLedger(async ({ ledger, open, storage }) => {
      await ledger.append(FI_ID, makeEntries(1, NOON), false, NOON);
      await storage.deleteAlarm();
      await open().state(NOON + DAY);
      expect(Number(await storage.getAlarm()) - NOON - DAY).toBeGreaterThan(0);
      expect(Number(await storage.getAlarm()) - NOON - DAY).toBeLessThanOrEqual(MINUTE);
    }));

  test("show a chain that was cut off, altered or replaced below them", () =>
    withLedger(async ({ ledger }) => {
      await ledger.append(FI_ID, makeEntries(4, NOON), false, NOON);
      const check = verified(ledger.head(NOON));
      const { texts } = await ledger.search.range(...ALL);
      const end = check.ok ? { seq: check.head.seq, hash: check.head.hash } : null;
      expect(checkChain(texts)).toEqual({ ok: true, end });
      expect(checkChain(texts.slice(0, -1))).not.toMatchObject({ end });
      const altered = texts.with(-1, (texts.at(-1) ?? "").replace('"ok"', '"no"'));
      expect(checkChain(altered)).not.toMatchObject({ end });
    }));

  test("a single altered character of one is found", () =>
    withLedger(async ({ ledger }) => {
      await ledger.append(FI_ID, makeEntries(1, NOON), false, NOON);
      const jws = ledger.head(NOON)?.jws ?? "";
      for (let i = 0; i < jws.length; i++) {
        const altered = `${jws.slice(0, i)}${jws[i] === "A" ? "B" : "A"}${jws.slice(i + 1)}`;
        expect([i, verifyHead(altered, keys).ok]).toEqual([i, false]);
      }
    }));
});

const DAYS = { from: "2099-10-24", to: "2099-11-22" };

test("traffic is counted from the records, also after an eviction", () =>
  withLedger(async ({ ledger, open }) => {
    const hour = Math.floor(NOON / 3_600_000) * 3_600_000;
    const refusal = { outcome: "certificate_revoked", psp: "PSDFI-X-1", ms: 700 };
    await ledger.append(FI_ID, makeEntries(3, NOON), false, NOON);
    await ledger.append(FI_ID, makeEntries(2, NOON, refusal), false, NOON);
    const read = (one: typeof ledger) => {
      const counts = one.traffic.read(hour, hour + 3_600_000);
      const refusals = one.traffic.readRefusals({ ...DAYS, psps: ["PSDFI-X-1", "PSDFI-X-2"] });
      return { counts: counts.map(({ outcome, requests, ms }) => [outcome, requests, ms.indexOf(requests)]), refusals };
    };
    const counted = {
      counts: [
        ["ok", 3, 2],
        ["certificate_revoked", 2, 9],
      ],
      refusals: [{ psp: "PSDFI-X-1", outcome: "certificate_revoked", requests: 2 }],
    };
    expect(read(ledger)).toEqual(counted);
    expect(read(open())).toEqual(counted);
    // stored with the head, and not counted twice
    ledger.head(NOON);
    expect(new Set(read(open()).counts.map(String))).toEqual(new Set(counted.counts.map(String)));
    await open().append(FI_ID, makeEntries(1, NOON), false, NOON);
    expect(
      open()
        .traffic.read(hour, hour + 1)
        .find(({ outcome }) => outcome === "ok")?.requests,
    ).toBe(4);
    // a week later hours are days
    const later = NOON + 9 * 86_400_000;
    const last = open();
    await last.keep(later);
    const day = Date.parse("2099-11-22T00:00:00Z");
    const days = last.traffic.read(day, day + 86_400_000);
    expect(days.map(({ span, start, outcome, requests }) => [span, start, outcome, requests]).sort()).toEqual([
      ["day", day, "certificate_revoked", 2],
      ["day", day, "ok", 4],
    ]);
  }));

test("refusals are counted by the PSP's number where its certificate was issued by a listed service, else together", () =>
  withLedger(async ({ ledger, storage, open }) => {
    const refusal = (psp: string, verdicts: CheckedCertificate["verdicts"] | null) => {
      const checked = { certificate: "", psp, jurisdictions: [], verdicts: verdicts ?? [], decisions: [], basis: "" };
      return makeEntries(1, NOON, { psp, outcome: "code_used", checks: verdicts ? [checked] : [] });
    };
    const entries = [
      ...Array.from({ length: 40 }, (_, i) =>
        refusal(`PSDXX-MADE-${i}`, ["validQTSP", "validSignature", "notRevoked"]),
      ),
      refusal("PSDXX-REVOKED-1", ["notRevoked"]),
      refusal("PSDXX-EXPIRED-1", ["validSignature", "notRevoked", "notExpired"]),
      refusal("PSDXX-WITHDRAWN-1", ["validQTSP"]),
      // by a token: no certificate was asked
      refusal("PSDXX-TOKEN-1", null),
    ].flat();
    await ledger.append(FI_ID, entries, false, NOON);
    const read = (one: typeof ledger) =>
      one.traffic.readRefusals({ ...DAYS, psps: null }).map(({ psp, requests }) => `${psp} ${requests}`);
    const names = ["PSDXX-REVOKED-1 1", "PSDXX-EXPIRED-1 1", "PSDXX-WITHDRAWN-1 1", "PSDXX-TOKEN-1 1"];
    expect(read(ledger)).toEqual([`${UNVERIFIED} 40`, ...names]);
    ledger.head(NOON);
    expect(read(open()).sort()).toEqual([`${UNVERIFIED} 40`, ...names].sort());
    expect(storage.sql.exec<{ rows: number }>("SELECT count(*) AS rows FROM refusals").one().rows).toBe(5);
    const most = open().traffic;
    expect(most.readMostRefused(DAYS, [], 1)).toEqual([{ psp: UNVERIFIED, requests: 40 }]);
    expect(most.readMostRefused(DAYS, ["code_used"], 9)).toEqual([]);
  }));
