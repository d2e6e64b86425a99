/** Deliveries in workerd: as many at once as the platform has connections for, beside what else an invocation asks. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deliver } from "../../../src/events/deliver.ts";
import { takeTurns } from "../../../src/events/deliveries.ts";
import { insertEvent } from "../../../src/events/event-log.ts";
import { consume, type DeliveryMessage } from "../../../src/events/queue.ts";
import { makeWebhookSecret } from "../../../src/events/webhook.ts";
import { insertWebhook } from "../../../src/events/webhook-changes.ts";
import { lookAfterDeliveries } from "../../../src/refresh/deliveries.ts";
import { addInstitution } from "./made-registers.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");
/** No queue, and receivers anywhere. */
const { EVENTS: _, ...withoutQueue } = env;
const bindings = { ...withoutQueue, WEBHOOK_TARGETS: "any" } as unknown as Env;

let fiId: number;
let atOnce: number[];
beforeEach(async () => {
  fiId = await addInstitution(`PSDXX-TEST-D${crypto.randomUUID()}`);
  atOnce = [];
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    atOnce.push(++asked);
    await new Promise((resolve) => setTimeout(resolve, 5));
    asked--;
    return new Response(null, { status: 204 });
  });
});
afterEach(() => void vi.unstubAllGlobals());

/** Events of so many PSPs, for a webhook. */
async function tell(events: number): Promise<void> {
  const id = `wh_${crypto.randomUUID()}`;
  await insertWebhook(env.DB, { id, fiId, url: "https://bank.test/events", secret: makeWebhookSecret() }, NOW);
  for (let i = 0; i < events; i++) {
    const data = { psp_id: `PSDXX-TEST-${i}`, before: null, after: null, evidence: [], grants: null };
    const news = { fiId, type: "psp.status_changed", subject: `${id} ${i}`, data, key: id } as const;
    await env.DB.batch(insertEvent(env.DB, news, null, NOW));
  }
}

/** The seventh would wait for a connection while its ten seconds run: a slow receiver would be the failure of another. */
const CONNECTIONS = 6;
/** Of an attempt. */
const TIMEOUT_SECONDS = 10;

test("the consumer leaves a connection for the stores, whatever the size of its batch", async () => {
  await tell(10);
  const acknowledged: string[] = [];
  const messages = (await takeTurns(env.DB, NOW, 100)).map((delivery) => ({
    body: { database: 1, delivery },
    ack: () => void acknowledged.push(delivery),
    retry: () => expect.unreachable(),
  }));
  expect(messages).toHaveLength(10);
  await consume({ messages } as unknown as MessageBatch<DeliveryMessage>, bindings, () => NOW);
  expect([atOnce.length, acknowledged.length]).toEqual([10, 10]);
  expect(Math.max(...atOnce)).toBeLessThan(CONNECTIONS);
});

test("beside a schema that this release must not write to the consumer sends nothing, and the delivery stays", async () => {
  await tell(1);
  const [delivery = ""] = await takeTurns(env.DB, NOW, 1);
  const messages = [{ body: { database: 1, delivery }, ack: () => {}, retry: () => expect.unreachable() }];
  await env.DB.prepare("INSERT INTO d1_migrations (name) VALUES ('0999_newer.breaking.sql')").run();
  try {
    await consume({ messages } as unknown as MessageBatch<DeliveryMessage>, bindings, () => NOW);
  } finally {
    await env.DB.prepare("DELETE FROM d1_migrations WHERE name > '0900'").run();
  }
  expect(atOnce).toEqual([]);
  const find = env.DB.prepare("SELECT status, attempts FROM webhook_deliveries WHERE id = ?1").bind(delivery);
  expect(await find.first()).toEqual({ status: "pending", attempts: 0 });
});

test("without a queue the scheduled run does so, too, and makes no more than end within a minute, of all databases together", async () => {
  await tell(100);
  // each finds what the one before has left
  const databases = [1, 2, 3].map((number) => ({ number, binding: "DB", db: env.DB }));
  const { attempted, failures } = await lookAfterDeliveries(bindings, databases, NOW);
  expect([failures, atOnce.length]).toEqual([[], attempted]);
  const most = Math.max(...atOnce);
  expect(most).toBeLessThan(CONNECTIONS);
  expect((attempted / most) * TIMEOUT_SECONDS).toBe(60);
});

test("a question to DNS that is never answered ends with the time of its attempt: nothing is sent, and it is tried again", async () => {
  await tell(1);
  const [id = ""] = await takeTurns(env.DB, NOW, 1);
  const { EVENTS: _events, WEBHOOK_TARGETS: _targets, ...elsewhere } = env as Env;
  const resolve = () => new Promise<string[]>(() => {});
  const attempt = deliver(env.DB, id, { env: elsewhere as Env, resolve, now: NOW, timeoutMs: 50 });
  const outcome = "was not asked: its address has a host whose address cannot be found";
  expect(await attempt).toMatchObject({ next: { step: "retry" }, outcome });
  expect(atOnce).toEqual([]);
});
