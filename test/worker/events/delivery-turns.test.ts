/** Many webhooks and one run a minute: what one bank's receiver or backlog costs another bank's event. In workerd, on D1. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deliver } from "../../../src/events/deliver.ts";
import { DUE_STATEMENTS, takeTurns } from "../../../src/events/deliveries.ts";
import { insertEvent, insertTestEvent } from "../../../src/events/event-log.ts";
import { consume, type DeliveryMessage } from "../../../src/events/queue.ts";
import { makeWebhookSecret } from "../../../src/events/webhook.ts";
import { insertWebhook, replayDelivery } from "../../../src/events/webhook-changes.ts";
import { lookAfterDeliveries } from "../../../src/refresh/deliveries.ts";
import { addInstitution } from "./made-registers.ts";

const START = Date.parse("2026-11-22T10:00:00Z");
const MINUTE = 60_000;
/** Of an attempt that gets no answer. */
const TIMEOUT_MS = 10_000;
const AT_ONCE = 5;
const DATABASES = [{ number: 1, binding: "DB", db: env.DB }];

let now: number;
let queued: DeliveryMessage[];
/** What each webhook was sent, by its path. */
let got: Map<string, string[]>;
let silent: Set<string>;
beforeEach(async () => {
  now = START;
  [queued, got, silent] = [[], new Map(), new Set()];
  await env.DB.batch(["webhooks", "webhook_deliveries", "events"].map((name) => env.DB.prepare(`DELETE FROM ${name}`)));
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.stubGlobal("fetch", async (url: string, { body }: RequestInit) => {
    const webhook = url.slice(url.lastIndexOf("/") + 1);
    got.set(webhook, [...(got.get(webhook) ?? []), JSON.parse(String(body)).data.psp_id]);
    if (silent.has(webhook)) throw new Error("no answer");
    return new Response(null, { status: 204 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const sent = (webhook: string): number => got.get(webhook)?.length ?? 0;
const delivered = (webhook: string): Promise<number | null> =>
  env.DB.prepare("SELECT count(*) AS n FROM webhook_deliveries WHERE webhook_id = ?1 AND status = 'delivered'")
    .bind(webhook)
    .first<number>("n");

/** An institution with a webhook. */
async function addBank(id: string): Promise<number> {
  const fiId = await addInstitution(`PSDXX-TEST-D${crypto.randomUUID()}`);
  const url = `https://bank.test/${id}`;
  await insertWebhook(env.DB, { id, fiId, url, secret: makeWebhookSecret() }, now);
  return fiId;
}

async function tell(fiId: number, psp: string): Promise<void> {
  const data = { psp_id: psp, before: null, after: null, evidence: [], grants: null };
  const news = { fiId, type: "psp.status_changed", subject: psp, data, key: String(now) } as const;
  await env.DB.batch(insertEvent(env.DB, news, null, now));
}

/** Events of so many PSPs that are due, made by a copy of one of them. */
async function addBacklog(id: string, events: number): Promise<number> {
  const fiId = await addBank(id);
  await tell(fiId, "PSP-0");
  const columns = "fi_id, type, data, created_at";
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy LIMIT ?2)
       INSERT INTO events (seq, id, subject, ${columns})
       SELECT seq + n, id || n, 'PSP-' || n, ${columns} FROM events, copy WHERE fi_id = ?1`,
    ).bind(fiId, events - 1),
    env.DB.prepare(
      `INSERT OR IGNORE INTO webhook_deliveries
         (id, fi_id, webhook_id, event_id, event_seq, subject, status, created_at, next_at)
       SELECT id || '.' || ?2, fi_id, ?2, id, seq, subject, 'pending', created_at, created_at FROM events WHERE fi_id = ?1`,
    ).bind(fiId, id),
  ]);
  return fiId;
}

const bindings = (queue: boolean): Env => {
  const { EVENTS: _, ...others } = env;
  const sendBatch = async (messages: { body: DeliveryMessage }[]) => void queued.push(...messages.map((m) => m.body));
  return { ...others, WEBHOOK_TARGETS: "any", ...(queue && { EVENTS: { sendBatch } }) } as unknown as Env;
};

/** The run, and one consumer for what it has queued, in the time that the attempts take; then the next minute begins. */
async function runMinute(queue: boolean): Promise<void> {
  const { failures } = await lookAfterDeliveries(bindings(queue), DATABASES, now);
  expect(failures).toEqual([]);
  const end = now + MINUTE;
  for (; queued.length > 0 && now < end; ) {
    const before = [...silent].reduce((sum, id) => sum + sent(id), 0);
    const messages = queued.splice(0, 2 * AT_ONCE).map((body) => ({
      ...{ body, ack: () => {} },
      retry: () => void queued.push(body),
    }));
    await consume({ messages } as unknown as MessageBatch<DeliveryMessage>, bindings(queue), () => now);
    const waited = [...silent].reduce((sum, id) => sum + sent(id), 0) - before;
    now += 1 + Math.ceil(waited / AT_ONCE) * TIMEOUT_MS;
  }
  now = Math.max(now, end);
}

test("a run takes one of each webhook before a second of any, and reads no more of a longer backlog", async () => {
  const rowsRead = [];
  for (const backlog of [2_000, 8_000]) {
    await addBacklog(`wh_a${backlog}`, backlog);
    const { meta } = await env.DB.prepare(DUE_STATEMENTS.due).bind(now, Number.MAX_SAFE_INTEGER).run();
    rowsRead.push(meta.rows_read);
  }
  expect(rowsRead[1]).toBeLessThan(1.01 * (rowsRead[0] ?? 0));
  expect(rowsRead[0]).toBeLessThan(5_000);
  now += MINUTE;
  await tell(await addBank("wh_late"), "PSP-1");
  const webhooks = (await takeTurns(env.DB, now, 5)).map((id) => id.slice(id.lastIndexOf(".") + 1));
  expect(webhooks.slice(0, 3).toSorted()).toEqual(["wh_a2000", "wh_a8000", "wh_late"]);
  expect(webhooks.slice(3).toSorted()).toEqual(["wh_a2000", "wh_a8000"]);
});

test("of more webhooks than a run has room for each has its turn after as few runs as can be", async () => {
  for (let i = 0; i < 7; i++) await addBacklog(`wh_${i}`, 5);
  const runs: string[][] = [];
  for (let run = 0; run < 9; run++, now += MINUTE) runs.push(await takeTurns(env.DB, now, 3));
  for (let run = 2; run < 9; run++) {
    const webhooks = runs.slice(run - 2, run + 1).flatMap((ids) => ids.map((id) => id.slice(-1)));
    expect(new Set(webhooks).size).toBe(7);
  }
});

test.each([
  ["without a queue", false],
  ["with a queue, of one consumer", true],
])(
  "%s a silent receiver with a backlog costs the events of others a minute, and gets all when it answers",
  async (_, queue) => {
    const others = [];
    for (let i = 0; i < 3; i++) others.push(await addBank(`wh_other${i}`));
    silent.add("wh_silent");
    await addBacklog("wh_silent", 300);
    for (let minute = 0; minute < 8; minute++) {
      await runMinute(queue);
      // of before this run and the one before it, whatever the silent one had
      for (let i = 0; i < 3; i++) expect(sent(`wh_other${i}`)).toBeGreaterThanOrEqual(minute - 1);
      for (const fiId of others) await tell(fiId, `PSP-${minute}`);
    }
    expect(await delivered("wh_silent")).toBe(0);
    // those that were under way when it fell silent, then once in each run
    expect(sent("wh_silent")).toBeLessThan(40);
    silent.clear();
    for (let minute = 0; (await delivered("wh_silent")) !== 300; minute++) {
      await runMinute(queue);
      expect(minute).toBeLessThan(queue ? 5 : 20);
    }
  },
);

test("a receiver that was silent for three days is spared the rest, and what is due later is still tried", async () => {
  const fiId = await addBacklog("wh_silent", 200);
  silent.add("wh_silent");
  now++;
  // waits for the first one of this PSP
  await tell(fiId, "PSP-0");
  const statuses = async () =>
    (
      await env.DB.prepare("SELECT status, count(*) AS n FROM webhook_deliveries GROUP BY status ORDER BY status").all()
    ).results.map((row) => Object.values(row));
  for (let hour = 0; hour < 71; hour++) {
    await runMinute(false);
    now += 59 * MINUTE;
  }
  expect(await statuses()).toEqual([["pending", 201]]);
  await tell(fiId, "PSP-late");
  // as if it had just been tried
  await env.DB.prepare("UPDATE webhook_deliveries SET next_at = ?1 WHERE subject = 'PSP-0' AND first_at IS NOT NULL")
    .bind(now)
    .run();
  for (let hour = 0; hour < 3; hour++) {
    await runMinute(false);
    now += 59 * MINUTE;
  }
  const [dead, pending] = await statuses();
  expect([dead?.[0], pending?.[0]]).toEqual(["dead", "pending"]);
  const ofOne = env.DB.prepare("SELECT status FROM webhook_deliveries WHERE subject = 'PSP-0' ORDER BY event_seq");
  expect((await ofOne.all()).results).toEqual([{ status: "pending" }, { status: "pending" }]);
  // what somebody asked for is not given up with the rest
  for (let test = 0; test < 2; test++) await insertTestEvent(env.DB, { id: "wh_silent", fiId }, now - test);
  await runMinute(false);
  const tests = env.DB.prepare("SELECT status FROM webhook_deliveries WHERE subject LIKE 'wh_silent %'");
  expect((await tests.all()).results).toEqual([{ status: "pending" }, { status: "pending" }]);
  silent.clear();
  for (let minute = 0; minute < 4; minute++) await runMinute(false);
  expect(got.get("wh_silent")).toContain("PSP-late");
});

test("after a day in which nobody asked a silence begins anew: nothing is given up untried", async () => {
  const fiId = await addBacklog("wh_silent", 3);
  silent.add("wh_silent");
  await runMinute(false);
  // disabled, say
  now += 5 * 24 * 60 * MINUTE;
  await tell(fiId, "PSP-late");
  await runMinute(false);
  const dead = env.DB.prepare("SELECT count(*) AS n FROM webhook_deliveries WHERE outcome LIKE '%three days'");
  expect(await dead.first("n")).toBe(0);
});

test("a test event, and what is begun anew, goes before a backlog, also where the receiver has been silent", async () => {
  const fiId = await addBacklog("wh_1", 100);
  silent.add("wh_1");
  await runMinute(true);
  await runMinute(true);
  const asked = sent("wh_1");
  const resting = { env: bindings(true), now: now - 30_000 };
  await deliver(env.DB, await insertTestEvent(env.DB, { id: "wh_1", fiId }, resting.now), resting);
  expect(sent("wh_1")).toBe(asked + 1);
  silent.clear();
  const id = await insertTestEvent(env.DB, { id: "wh_1", fiId }, now);
  await runMinute(true);
  const find = env.DB.prepare("SELECT status FROM webhook_deliveries WHERE id = ?1").bind(id);
  expect(await find.first("status")).toBe("delivered");
  expect([await replayDelivery(env.DB, id), await takeTurns(env.DB, now, 1)]).toEqual([true, [id]]);
});

test("more deliveries than a run looks at, which wait for earlier ones of their PSPs, hold up no other PSP's for long", async () => {
  const fiId = await addBacklog("wh_1", 600);
  await env.DB.prepare("UPDATE webhook_deliveries SET next_at = ?1")
    .bind(now + 60 * MINUTE)
    .run();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO events (seq, id, subject, fi_id, type, data, created_at)
       SELECT seq + 1000, id || '+', subject, fi_id, type, data, created_at FROM events WHERE fi_id = ?1`,
    ).bind(fiId),
    env.DB.prepare(
      `INSERT INTO webhook_deliveries (id, fi_id, webhook_id, event_id, event_seq, subject, status, created_at, next_at)
       SELECT id || '.wh_1', fi_id, 'wh_1', id, seq, subject, 'pending', ?2, ?2 FROM events WHERE fi_id = ?1 AND id LIKE '%+'`,
    ).bind(fiId, now),
  ]);
  now++;
  await tell(fiId, "PSP-new");
  expect(await takeTurns(env.DB, now, 10)).toEqual([]);
  expect(await takeTurns(env.DB, now, 10)).toHaveLength(1);
});

test("of one PSP in order", async () => {
  const fiId = await addBank("wh_1");
  silent.add("wh_1");
  for (let event = 0; event < 3; event++, now++) await tell(fiId, "PSP-1");
  await runMinute(false);
  silent.clear();
  await tell(fiId, "PSP-2");
  got.clear();
  for (let minute = 0; minute < 6; minute++) await runMinute(false);
  expect(got.get("wh_1")).toHaveLength(4);
  const { results } = await env.DB.prepare(
    "SELECT event_seq AS seq FROM webhook_deliveries WHERE subject = 'PSP-1' ORDER BY ended_at",
  ).all<{ seq: number }>();
  expect(results.map(({ seq }) => seq)).toEqual(results.map(({ seq }) => seq).toSorted((a, b) => a - b));
});
