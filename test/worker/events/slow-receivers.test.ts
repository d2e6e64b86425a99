/** A receiver that takes long for each answer, by a virtual clock: what it costs other institutions' events. In workerd, on D1. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { insertWebhook } from "../../../src/admin/webhook-changes.ts";
import { insertEvent } from "../../../src/events/event-log.ts";
import { consume, type DeliveryMessage } from "../../../src/events/queue.ts";
import { makeWebhookSecret } from "../../../src/events/webhook-secrets.ts";
import { lookAfterDeliveries } from "../../../src/refresh/deliveries.ts";
import { addInstitution } from "./made-registers.ts";

const START = Date.parse("2026-11-22T10:00:00Z");
const MINUTE = 60_000;

type Actor = "schedule" | "consumer";
let now: number;
let sleeping: { readonly actor: Actor; readonly until: number; readonly wake: () => void }[];
const sleep = (actor: Actor, milliseconds: number): Promise<void> =>
  new Promise((wake) => void sleeping.push({ actor, until: now + milliseconds, wake }));
/** Moves the clock to the next one that sleeps whenever all sleep, and what else they ask the database has had time to go on. */
async function play(works: ReadonlyMap<Actor, Promise<unknown>>): Promise<void> {
  const awake = new Set(works.keys());
  const ended = Promise.all([...works].map(([actor, work]) => work.finally(() => awake.delete(actor))));
  while (awake.size > 0) {
    for (let question = 0; question < 6; question++) await env.DB.prepare("SELECT 1").run();
    if (![...awake].every((actor) => sleeping.some((one) => one.actor === actor))) continue;
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
beforeEach(async () => {
  [now, sleeping, takes, answers, got] = [START, [], new Map(), new Map(), []];
  await env.DB.batch(["webhooks", "webhook_deliveries", "events"].map((name) => env.DB.prepare(`DELETE FROM ${name}`)));
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
});

async function addBank(webhook: string): Promise<number> {
  const fiId = await addInstitution(`PSDXX-TEST-D${crypto.randomUUID()}`);
  const url = `https://bank.test/${webhook}`;
  await insertWebhook(env.DB, { id: webhook, fiId, url, secret: makeWebhookSecret() }, now);
  return fiId;
}
async function tell(fiId: number, events: number): Promise<void> {
  const made = Array.from({ length: events }, (_, i) => {
    const psp = `PSP-${now}-${i}`;
    const data = { psp_id: psp, before: null, after: null, evidence: [], grants: null };
    return insertEvent(env.DB, { fiId, type: "psp.status_changed", subject: psp, data, key: psp }, null, now);
  });
  await env.DB.batch(made.flat());
}

/** So many minutes: a run at the beginning of each, before it what `each` does, and one consumer of the queue, if there is one. */
async function run(minutes: number, queue: boolean, each: (minute: number) => Promise<void>): Promise<void> {
  const queued: { readonly body: DeliveryMessage; readonly from: number }[] = [];
  const sendBatch = async (messages: { body: DeliveryMessage }[]) =>
    void queued.push(...messages.map(({ body }) => ({ body, from: now })));
  const { EVENTS: _, ...others } = env;
  const bindings = { ...others, WEBHOOK_TARGETS: "any", ...(queue && { EVENTS: { sendBatch } }) } as unknown as Env;
  const end = now + minutes * MINUTE;
  const clock = () => now;
  const schedule = async () => {
    for (let minute = 0; minute < minutes; minute++) {
      const next = now - (now % MINUTE) + MINUTE;
      await each(minute);
      await lookAfterDeliveries(bindings, [{ number: 1, binding: "DB", db: env.DB }], now, clock);
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
