/**
 * The document's examples of events are true: what they tell happens in the sandbox again, and the service tells it as they
 * show it, apart from what differs each time. To record them again: node test/contract/record-story.ts
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { WrittenEvent } from "../../../src/events/event.ts";
import { insertTestEvent } from "../../../src/events/event-log.ts";
import { tellOfMetPsps } from "../../../src/events/met-news.ts";
import { EVENT_EXAMPLES } from "../../../src/reference/webhooks.ts";
import { recordSuccess } from "../../../src/refresh/refreshes.ts";
import { trustTask } from "../../../src/refresh/schedule.ts";
import { changePsp } from "../../../src/sandbox/sandbox-psps.ts";
import { readSandboxRegisters, writeSandboxRegister } from "../../../src/sandbox/sandbox-registers.ts";
import { importTrustList } from "../../../src/trust/trust-import.ts";
import { call, obtainCode, tokenRequest } from "../bank.ts";
import { DAY, MINUTE, Schedule } from "../events/changing-world.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import { withoutVariance } from "./recorded.ts";

const [AMBER, REVOKED] = ["PSDXX-TEST-000001", "PSDXX-TEST-000005"];
const schedule = new Schedule();
const events: WrittenEvent[] = [];
let fiId = 0;
let now = Date.now();

async function settle(): Promise<void> {
  now = await schedule.settle(now + 5 * MINUTE);
  events.push(...(await schedule.told(fiId, () => true)));
}

beforeAll(async () => {
  await loadSandbox();
  const find = env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1");
  fiId = Number(await find.bind(SANDBOX_FI.fi_reference_id).first("id"));
  for (const psp of [AMBER, REVOKED]) await call("PUT", `/v1/psp/watches/${psp}`, { body: {} });
});

const isNoted = (table: string, rows = 1) =>
  vi.waitUntil(async () => Number(await env.DB.prepare(`SELECT count(*) AS rows FROM ${table}`).first("rows")) >= rows);

async function showTwice(): Promise<void> {
  const account = crypto.randomUUID();
  const body = tokenRequest(await obtainCode(account), account);
  const exchange = () => call("POST", "/v1/oauth2/tokens", { headers: { eidas: eidasHeader("scenario-1") }, body });
  expect([(await exchange()).status, (await exchange()).status]).toEqual([201, 403]);
  await isNoted("shown_certificates");
  await isNoted("met_psps");
}

async function showRevoked(): Promise<void> {
  await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: eidasHeader("scenario-5") } });
  await isNoted("notices");
  await isNoted("met_psps", 2);
}

/** Of a webhook that is not there: nothing is delivered. */
async function testWebhook(): Promise<void> {
  await insertTestEvent(env.DB, { id: "wh_example", fiId }, now);
}

async function withdrawPsp(): Promise<void> {
  const read = await readSandboxRegisters(env);
  if (!read.ok) expect.fail();
  const changed = changePsp(read.registers, AMBER, { status: "Withdrawn" });
  if (!changed.ok) expect.fail();
  expect(await writeSandboxRegister(env, "XX", changed.registers.XX, now)).toMatchObject({ ok: true });
}

/** The sandbox's list, whose first service is withdrawn; it is valid for an hour. */
async function withdrawService(): Promise<void> {
  const { trust } = JSON.parse(env.TEST_SANDBOX);
  const [first, ...others] = trust.anchors;
  const from = new Date(now).toISOString();
  const periods = [...first.periods, { ...first.periods[0], status: "withdrawn", from }];
  const nextUpdate = new Date(now + 60 * MINUTE).toISOString();
  await importTrustList(env.KV, { ...trust, nextUpdate, anchors: [{ ...first, periods }, ...others] }, now);
  await recordSuccess(env.DB, trustTask("sandbox", "XX"), {}, now);
}

/** Whatever else has changed by then: nothing but this is looked at. */
async function endSoon(): Promise<void> {
  const find = env.DB.prepare("SELECT not_after FROM met_psps WHERE psp_id = ?1").bind(AMBER);
  await tellOfMetPsps(env.DB, Number(await find.first("not_after")) - 30 * DAY);
  events.push(...(await schedule.told(fiId, () => true)));
}

/** The list here ends an hour after it is loaded. */
const comparable = (told: readonly unknown[]) =>
  withoutVariance(JSON.parse(JSON.stringify(told), (key, value) => (key === "next_update" ? typeof value : value)));

/** What is noted behind one answer is told in either order. */
const byText = (told: readonly unknown[]): unknown[] =>
  (comparable(told) as unknown[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

test("what happens in the sandbox is told as the examples show it", async () => {
  await settle();
  for (const happens of [showTwice, showRevoked, testWebhook, withdrawPsp, withdrawService]) {
    await happens();
    await settle();
  }
  now += 60 * MINUTE;
  await settle();
  await endSoon();
  if (!env.TEST_RECORD_STORY) expect(byText(events)).toEqual(byText(EVENT_EXAMPLES));
});

// what a test logs is shown only if it fails
afterAll(() => {
  if (env.TEST_RECORD_STORY) console.log(`EVENTS${JSON.stringify(events)}STNEVE`);
});
