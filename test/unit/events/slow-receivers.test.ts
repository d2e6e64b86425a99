/** A receiver that takes long for each answer, by a virtual clock: what it costs other institutions' events. On SQLite: each of many questions to D1 is a message. */
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { insertEvent } from "../../../src/events/event-log.ts";
import { consume, type DeliveryMessage } from "../../../src/events/queue.ts";
import { makeWebhookSecret } from "../../../src/events/webhook.ts";
import { WEBHOOK_CHANGE_STATEMENTS } from "../../../src/events/webhook-changes.ts";
import { bindNamed } from "../../../src/platform/statements.ts";
import { lookAfterDeliveries } from "../../../src/refresh/deliveries.ts";
import { asD1, openDatabase } from "../grants/sqlite-database.ts";

const START = Date.parse("2026-11-22T10:00:00Z");
const MINUTE = 60_000;
const KEY = { TOKEN_KEY_20260101T000000Z: "dGVzdC1rZXktdGVzdC1rZXktdGVzdC1rZXktdGVzdC0" };

type Actor = "schedule" | "consumer";
let now: number;
let sleeping: { readonly actor: Actor; readonly until: number; readonly wake: () => void }[];
const sleep = (actor: Actor, milliseconds: number): Promise<void> =>
  new Promise((wake) => void sleeping.push({ actor, until: now + milliseconds, wake }));
/** Moves the clock to the next one that sleeps whenever all sleep, and what else they do has had time to go on. */
async function play(works: ReadonlyMap<Actor, Promise<unknown>>): Promise<void> {
  const awake = new Set(works.keys());
  const ended = Promise.all([...works].map(([actor, work]) => work.finally(() => awake.delete(actor))));
  while (awake.size > 0) {
    await new Promise(setImmediate);
    if (awake.size === 0 || ![...awake].every((actor) => sleeping.some((one) => one.actor === actor))) continue;
    now = Math.min(...sleeping.map(({ until }) => until));
    const due = sleeping.filter(({ until }) => until === now);
    sleeping = sleeping.filter(({ until }) => until !== now);
    for (const { wake } of due) wake();
  }
  await ended;
}

/** Who waits for receivers. */
let delivers: Actor;
/** How long the receivers take, by the last part of their addresses. */
let takes: Map<string, number>;
/** How they answer, if not with 204. */
let answers: Map<string, number>;
let got: { readonly webhook: string; readonly event: string; readonly at: number; readonly late: number }[];
let sqlite: DatabaseSync;
let db: D1Database;
beforeEach(() => {
  sqlite = openDatabase();
  db = asD1(sqlite, async (carryOut) => carryOut());
  [now, sleeping, takes, answers, got] = [START, [], new Map(), new Map(), []];
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.stubGlobal("fetch", async (url: string, { body }: RequestInit) => {
    const webhook = url.slice(url.lastIndexOf("/") + 1);
    const { id, timestamp } = JSON.parse(String(body));
    await sleep(delivers, takes.get(webhook) ?? 100);
    got.push({ webhook, event: id, at: now, late: now - Date.parse(timestamp) });
    return new Response(null, { status: answers.get(webhook) ?? 204 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  sqlite.close();
});

const INSERT_FI =
  "INSERT INTO financial_institutions (name, fi_reference_id, status, created_at) VALUES ('Bank', ?1, 'active', 0)";
async function addBank(webhook: string): Promise<number> {
  const reference = `PSDXX-TEST-${webhook}`;
  const fiId = Number(sqlite.prepare(INSERT_FI).run(reference).lastInsertRowid);
  const values = {
    id: webhook,
    fiId,
    url: `https://bank.test/${webhook}`,
    secret: makeWebhookSecret(),
    kid: null,
    now,
  };
  await bindNamed(db, WEBHOOK_CHANGE_STATEMENTS.insert, values).run();
  return fiId;
}
async function tell(fiId: number, events: number): Promise<void> {
  const made = Array.from({ length: events }, (_, i) => {
    const psp = `PSP-${now}-${i}`;
    const data = { psp_id: psp, before: null, after: null, evidence: [], grants: null };
    return insertEvent(db, { fiId, type: "psp.status_changed", subject: psp, data, key: psp }, null, now);
  });
  await db.batch(made.flat());
}

/** So many minutes: a run at the beginning of each, before it what `each` does, and one consumer of the queue, if there is one. */
async function run(minutes: number, queue: boolean, each: (minute: number) => Promise<void>): Promise<void> {
  const queued: { readonly body: DeliveryMessage; readonly from: number }[] = [];
  const sendBatch = async (messages: { body: DeliveryMessage }[]) =>
    void queued.push(...messages.map(({ body }) => ({ body, from: now })));
  const bindings = {
    ...KEY,
    DB: db,
    WEBHOOK_TARGETS: "any",
    ...(queue && { EVENTS: { sendBatch } }),
  } as unknown as Env;
  const end = now + minutes * MINUTE;
  const clock = () => now;
  const schedule = async () => {
    for (let minute = 0; minute < minutes; minute++) {
      const next = now - (now % MINUTE) + MINUTE;
      await each(minute);
      await lookAfterDeliveries(bindings, [{ number: 1, binding: "DB", db }], now, clock);
      if (now < next) await sleep("schedule", next - now);
    }
  };
  const consumer = async () => {
    while (now < end) {
      const ready = queued.filter(({ from }) => from <= now).slice(0, 10);
      for (const message of ready) queued.splice(queued.indexOf(message), 1);
      const messages = ready.map(({ body }) => ({
        ...{ body, ack: () => {} },
        retry: ({ delaySeconds = 0 }) => void queued.push({ body, from: now + delaySeconds * 1000 }),
      }));
      if (messages.length === 0) await sleep("consumer", 5_000);
      else await consume({ messages } as unknown as MessageBatch<DeliveryMessage>, bindings, clock);
    }
  };
  delivers = queue ? "consumer" : "schedule";
  await play(new Map([["schedule", schedule()], ...(queue ? ([["consumer", consumer()]] as const) : [])]));
}

const of = (webhook: string) => got.filter((each) => each.webhook === webhook);

test.each([
  ["that takes 9 s for each", 9_000, 0, 204],
  ["that answered at once until then takes 9 s for each", 9_000, 1, 204],
  ["that takes 9 s to refuse", 9_000, 0, 500],
  ["that takes 1 s for each", 1_000, 0, 204],
])(
  "with a queue of one consumer a receiver %s, and has a backlog, holds others' events up for a minute at most, and gets none twice",
  async (_, takesMs, from, status) => {
    const slow = await addBank("slow");
    const other = await addBank("other");
    answers.set("slow", status);
    await tell(slow, 700);
    await run(6, true, async (minute) => {
      if (minute === from) takes.set("slow", takesMs);
      await tell(other, 1);
    });
    expect(of("other").length).toBeGreaterThanOrEqual(5);
    expect(Math.max(...of("other").map(({ late }) => late))).toBeLessThan(MINUTE);
    // it gets a share of the consumer's time, not none
    expect(of("slow").length).toBeGreaterThan(30);
    if (status === 204) expect(new Set(of("slow").map(({ event }) => event)).size).toBe(of("slow").length);
  },
);

test.each([
  ["six that take 9 s", 6, 9_000],
  ["twenty that take 1.5 s", 20, 1_500],
])(
  "with a queue of one consumer %s for each, and have backlogs, hold others' events up for a minute at most, and each gets its share",
  async (_, receivers, takesMs) => {
    const other = await addBank("other");
    await run(1, true, () => tell(other, 1));
    got = [];
    const slow = Array.from({ length: receivers }, (_, i) => `slow-${i}`);
    for (const webhook of slow) {
      takes.set(webhook, takesMs);
      await tell(await addBank(webhook), 100);
    }
    await run(8, true, () => tell(other, 1));
    expect(of("other").length).toBeGreaterThanOrEqual(7);
    expect(Math.max(...of("other").map(({ late }) => late))).toBeLessThan(MINUTE);
    // the lanes of one consumer are full
    expect(got.length * takesMs).toBeGreaterThan(0.7 * 5 * 8 * MINUTE);
    const shares = slow.map((webhook) => of(webhook).length);
    expect(Math.min(...shares)).toBeGreaterThan(0.7 * Math.max(...shares));
    expect(new Set(got.map(({ webhook, event }) => webhook + event)).size).toBe(got.length);
  },
);

test("without a queue a hundred webhooks that answer at once have an event of each within a minute, when they have been asked before", async () => {
  const banks: number[] = [];
  for (let i = 0; i < 100; i++) banks.push(await addBank(`bank-${i}`));
  await run(8, false, async (minute) => {
    if (minute % 4 === 0) for (const fiId of banks) await tell(fiId, 1);
  });
  const [first, second] = [got.slice(0, 100), got.slice(100)].map((some) => Math.max(...some.map(({ late }) => late)));
  expect(got).toHaveLength(200);
  expect(first).toBeLessThan(4 * MINUTE);
  expect(second).toBeLessThan(MINUTE);
});
