/** The rotation of a webhook's secret, against receivers that know one of the secrets each, with the clock of the test. */
import "./own-state.ts";
import { Webhook as Signer } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { countSealed } from "../../src/cli/webhook/reading.ts";
import { insertTestEvent } from "../../src/events/event-log.ts";
import { makeWebhookSecret } from "../../src/events/webhook.ts";
import { insertWebhook } from "../../src/events/webhook-changes.ts";
import { insertFinancialInstitution } from "../../src/institutions/financial-institutions.ts";
import { lookAfterDeliveries } from "../../src/refresh/deliveries.ts";
import "./in-process.ts";
import { withOwnStores } from "./own-stores.ts";
import { json, run } from "./run-here.ts";

const HOUR = 3_600_000;
const REFERENCE = "PSDXX-TEST-FI0009";
const KEY_1 = { TOKEN_KEY_20260101T000000Z: "dGVzdC1rZXktdGVzdC1rZXktdGVzdC1rZXktdGVzdC0" };
const KEY_2 = { TOKEN_KEY_20270101T000000Z: "dGVzdC1rZXktdGVzdC1rZXktdGVzdC1rZXktdGVzdC1" };
let keys: Record<string, string>;
let now = Date.parse("2026-11-22T10:00:00Z");
const wait = (milliseconds: number) => {
  now += milliseconds;
  vi.setSystemTime(now);
};

const first = makeWebhookSecret();
let env: Env;
let fiId: number;
/** Of the last delivery. */
let got: { readonly body: string; readonly headers: Record<string, string> };
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  vi.spyOn(console, "log").mockImplementation(() => {});
  await withOwnStores(async (stores) => {
    env = stores.env;
  });
  await insertFinancialInstitution(env.DB, {
    ...{ name: "Bank", fiReferenceId: REFERENCE, clientId: "bank", secretHash: "hash", now },
  });
  fiId = Number(await env.DB.prepare("SELECT max(id) AS id FROM financial_institutions").first("id"));
});
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
beforeEach(async () => {
  keys = KEY_1;
  await env.DB.batch(["webhooks", "webhook_deliveries"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  await insertWebhook(env.DB, { id: "wh_1", fiId, url: "https://bank.example/events", secret: first }, now);
});

/** The scheduled run; what it delivers is kept in {@link got}. */
async function look(db: Pick<D1Database, "prepare" | "batch"> = env.DB): Promise<void> {
  const receive = vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
    got = { body: String(init?.body), headers: init?.headers as Record<string, string> };
    return new Response(null, { status: 204 });
  });
  const bindings = { ...env, ...keys, WEBHOOK_TARGETS: "any" } as unknown as Env;
  await lookAfterDeliveries(bindings, [{ number: 1, binding: "DB", db: db as D1Database }], now);
  receive.mockRestore();
}
/** Of these secrets, for which a receiver that knows it alone accepts a delivery of now. */
async function accepted(secrets: Record<string, string>): Promise<string[]> {
  wait(1000);
  await insertTestEvent(env.DB, { id: "wh_1", fiId }, now);
  await look();
  return Object.keys(secrets).filter((name) => {
    try {
      return new Signer(secrets[name] ?? "").verify(got.body, got.headers) !== undefined;
    } catch {
      return false;
    }
  });
}
const rotate = (...options: string[]) => json("webhook", "rotate", "--webhook", "wh_1", ...options);
const row = () => env.DB.prepare("SELECT * FROM webhooks").first<Record<string, string | number | null>>();
const iso = (time: number) => new Date(time).toISOString();

test("both secrets sign until the overlap ends, also what was given up or waits since before; then the new one alone, and the old one is gone", async () => {
  expect(await accepted({ first })).toEqual(["first"]);
  await insertTestEvent(env.DB, { id: "wh_1", fiId }, now + 1);
  const rotated = await rotate();
  const end = now + 24 * HOUR;
  const second = rotated.secret;
  expect(rotated).toEqual({
    ...{ id: "wh_1", secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/), old_secret_until: iso(end) },
  });
  expect(await accepted({ first, second })).toEqual(["first", "second"]);
  expect(got.headers["webhook-signature"]).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM webhook_deliveries WHERE status = 'pending'").first("n")).toBe(
    0,
  );
  // as it is stored nobody reads either
  expect(JSON.stringify(await row())).not.toContain("whsec_");
  wait(end - 2000 - now);
  expect(await accepted({ first, second })).toEqual(["first", "second"]);
  expect(await accepted({ first, second })).toEqual(["second"]);
  expect(await row()).toMatchObject({ old_secret: null, old_kid: null, old_secret_until: null });
});

test("--now ends every secret of before at once, also during an overlap", async () => {
  const second = (await rotate("--overlap", "7d")).secret;
  const third = await rotate("--now");
  expect(third.old_secret_until).toBeNull();
  expect(await accepted({ first, second, third: third.secret })).toEqual(["third"]);
});

test("during an overlap a rotation takes no secret from a receiver; with --lost the one that it does not have ends", async () => {
  const second = (await rotate("--overlap", "1h")).secret;
  const end = iso(now + HOUR);
  const refused = await run("webhook", "rotate", "--webhook", "wh_1");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(`the last rotation of wh_1 overlaps until ${end}`);
  const third = (await rotate("--lost", "--overlap", "2h")).secret;
  expect(await accepted({ first, second, third })).toEqual(["first", "third"]);
  wait(2 * HOUR);
  // nor has the run that deletes it to come first
  const fourth = (await rotate()).secret;
  expect(await accepted({ first, third, fourth })).toEqual(["third", "fourth"]);
});

test.each([
  ["--now with --overlap", ["--webhook", "wh_1", "--now", "--overlap", "1h"], 2, "neither --overlap nor --lost"],
  ["--now with --lost", ["--webhook", "wh_1", "--now", "--lost"], 2, "neither --overlap nor --lost"],
  ["no duration", ["--webhook", "wh_1", "--overlap", "1s"], 2, "--overlap: 1s is not a duration"],
  ["no webhook", [], 2, "--webhook <id>"],
  ["one that does not exist", ["--webhook", "wh_2"], 1, "no such webhook"],
  ["one whose receiver wants no more", ["--webhook", "wh_410"], 1, "is disabled: its receiver answered with 410"],
  ["--lost where nothing overlaps", ["--webhook", "wh_1", "--lost"], 1, "no rotation of wh_1 overlaps"],
])("webhook rotate refuses %s", async (_, args, code, why) => {
  await insertWebhook(env.DB, { id: "wh_410", fiId, url: "https://bank.example/", secret: first }, now);
  await env.DB.prepare("UPDATE webhooks SET status = 'disabled' WHERE id = 'wh_410'").run();
  expect(await run("webhook", "rotate", ...args)).toMatchObject({ code, stderr: expect.stringContaining(why) });
  expect(await env.DB.prepare("SELECT count(*) AS n FROM webhooks WHERE secret = ?1").bind(first).first("n")).toBe(2);
});

test("what seals a secret that it has read before the rotation does not put it back", async () => {
  let second = "";
  await look({
    prepare: (sql) => env.DB.prepare(sql),
    batch: async (statements) => {
      second ||= (await rotate()).secret;
      return await env.DB.batch(statements);
    },
  });
  expect(await accepted({ first, second })).toEqual(["first", "second"]);
});

test("the old secret is sealed with the newest token key as the new one is; no key that has sealed it is free", async () => {
  await look();
  const second = (await rotate()).secret;
  expect(await row()).toMatchObject({ kid: null, old_kid: "20260101T000000Z" });
  expect(await countSealed(env, "20260101T000000Z")).toBe(1);
  keys = { ...KEY_1, ...KEY_2 };
  await look();
  expect(await countSealed(env, "20260101T000000Z")).toBe(0);
  expect(await row()).toMatchObject({ kid: "20270101T000000Z", old_kid: "20270101T000000Z" });
  keys = KEY_2;
  expect(await accepted({ first, second })).toEqual(["first", "second"]);
});

test("`webhook list`, `status` and `doctor` show a rotation while it overlaps, and no secret", async () => {
  const { secret } = await rotate("--overlap", "3h");
  const shown = async () => ({
    list: (await json("webhook", "list", "--reference", REFERENCE)).webhooks[0].old_secret_until,
    status: (await json("status")).deliveries.rotating,
    doctor: (await json("doctor")).findings.filter(({ area }: { area: string }) => area === "webhooks").slice(1),
  });
  const message = `wh_1 of ${REFERENCE} signs with two secrets: the old one ends in 3 h`;
  expect(await shown()).toEqual({
    list: iso(now + 3 * HOUR),
    status: [{ id: "wh_1", fi_reference_id: REFERENCE, oldSecretUntil: now + 3 * HOUR }],
    doctor: [{ area: "webhooks", state: "good", message, todo: null }],
  });
  const texts = [
    (await run("status", "--no-json")).stdout,
    (await run("webhook", "list", "--reference", REFERENCE, "--no-json")).stdout,
  ];
  expect(texts).toEqual([expect.stringContaining(message), expect.stringContaining("two, the old one ends in 3 h")]);
  for (const one of [first, secret]) expect(texts.join()).not.toContain(one);
  wait(3 * HOUR);
  expect(await shown()).toEqual({ list: null, status: [], doctor: [] });
});
