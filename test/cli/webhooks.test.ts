/** Webhooks from `webhook add` to dead deliveries, against a real receiver, with the clock of the test. */
import "./own-state.ts";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { deliver } from "../../src/events/deliver.ts";
import { takeTurns } from "../../src/events/deliveries.ts";
import { deleteOldEvents, insertEvent, insertTestEvent } from "../../src/events/event-log.ts";
import { makeWebhookSecret } from "../../src/events/webhook.ts";
import { insertWebhook } from "../../src/events/webhook-changes.ts";
import { insertFinancialInstitution } from "../../src/institutions/financial-institutions.ts";
import { setInstitutionStatus } from "../../src/institutions/institution-placement.ts";
import { lookAfterDeliveries } from "../../src/refresh/deliveries.ts";
import { findTool } from "../tools.ts";
import "./in-process.ts";
import { STATE_DIR } from "./own-state.ts";
import { withOwnStores } from "./own-stores.ts";
import { json, run } from "./run-here.ts";
import { type Receiver, startReceiver } from "./webhook-receiver.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const REFERENCE = "PSDXX-TEST-FI0009";
const KEY_1 = { TOKEN_KEY_20260101T000000Z: "dGVzdC1rZXktdGVzdC1rZXktdGVzdC1rZXktdGVzdC0" };
const KEY_2 = { TOKEN_KEY_20270101T000000Z: "dGVzdC1rZXktdGVzdC1rZXktdGVzdC1rZXktdGVzdC1" };
let keys: Record<string, string> = KEY_1;

let now = Date.parse("2026-11-22T10:00:00Z");
const wait = (milliseconds: number) => {
  now += milliseconds;
  vi.setSystemTime(now);
};

let receiver: Receiver;
const secret = makeWebhookSecret();
let env: Env;
let fiId = 0;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  vi.spyOn(console, "log").mockImplementation(() => {});
  receiver = await startReceiver(() => secret);
  await withOwnStores(async (stores) => {
    env = stores.env;
  });
  await insertFinancialInstitution(env.DB, {
    ...{ name: "Bank", fiReferenceId: REFERENCE, clientId: "bank", secretHash: "hash", now },
  });
  const find = env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1").bind(REFERENCE);
  fiId = Number(await find.first<number>("id"));
});
afterAll(async () => {
  await receiver.down();
  vi.useRealTimers();
  vi.restoreAllMocks();
});
beforeEach(async () => {
  await env.DB.batch(
    ["webhooks", "webhook_deliveries", "events"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  receiver.got.length = 0;
  receiver.manner = () => ({ status: 204 });
  keys = KEY_1;
});

/** Where a receiver may be on this machine, and no queue is. */
const bindings = (): Env => ({ ...env, ...keys, WEBHOOK_TARGETS: "any" });
const add = async (id: string, url = receiver.url): Promise<void> => {
  await insertWebhook(env.DB, { id, fiId, url, secret }, now);
};
let told = 0;
const tell = async (subject: string): Promise<void> => {
  const data = { psp_id: subject, before: null, after: null, evidence: [], grants: null };
  const news = { fiId, type: "psp.status_changed", subject, data, key: String(++told) } as const;
  await env.DB.batch(insertEvent(env.DB, news, null, now));
};
/** The scheduled run, each minute. */
const runFor = async (milliseconds: number): Promise<void> => {
  for (const until = now + milliseconds; now <= until; wait(MINUTE))
    await lookAfterDeliveries(bindings(), [{ number: 1, binding: "DB", db: env.DB }], now);
};
const statuses = async () =>
  (
    await env.DB.prepare("SELECT subject, status, attempts, outcome FROM webhook_deliveries ORDER BY event_seq").all()
  ).results.map((row) => Object.values(row));

test("an event is delivered once, signed, with the id and the form under which it is listed", async () => {
  await add("wh_1");
  await tell("PSDXX-TEST-1");
  await runFor(5 * MINUTE);
  expect(receiver.got).toEqual([
    {
      id: receiver.got[0]?.event.id,
      path: "/events",
      event: expect.objectContaining({
        type: "psp.status_changed",
        data: expect.objectContaining({ psp_id: "PSDXX-TEST-1" }),
      }),
    },
  ]);
  expect(await statuses()).toEqual([["PSDXX-TEST-1", "delivered", 1, "answered with status 204"]]);
});

test("a receiver that is down for an hour gets everything afterwards, of each PSP in order", async () => {
  await add("wh_1");
  await receiver.down();
  for (const subject of ["PSDXX-TEST-1", "PSDXX-TEST-2", "PSDXX-TEST-1"]) await tell(subject);
  await runFor(HOUR);
  expect((await statuses()).map(([, status]) => status)).toEqual(["pending", "pending", "pending"]);
  expect((await statuses())[2]).toEqual(["PSDXX-TEST-1", "pending", 0, null]);
  expect((await statuses())[0]?.[3]).toBe("could not be reached");
  const list = async () => (await json("webhook", "list", "--reference", REFERENCE)).webhooks;
  expect(await list()).toMatchObject([{ silent_since: "2026-11-22T10:06:00.000Z" }]);
  await receiver.up();
  await runFor(2 * HOUR);
  expect(await list()).toMatchObject([{ silent_since: null }]);
  expect((await statuses()).map(([, status]) => status)).toEqual(["delivered", "delivered", "delivered"]);
  const { results } = await env.DB.prepare("SELECT id FROM events WHERE subject = 'PSDXX-TEST-1' ORDER BY seq").all();
  const ofFirst = receiver.got.filter(({ event }) => event.data.psp_id === "PSDXX-TEST-1");
  expect(ofFirst.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
  expect(receiver.got).toHaveLength(3);
});

test("after three days a delivery is dead and listed, and begins anew when it is replayed", async () => {
  await add("wh_1");
  receiver.manner = () => ({ status: 500 });
  await tell("PSDXX-TEST-1");
  await runFor(HOUR);
  const [[, , early]] = (await statuses()) as [[string, string, number]];
  expect(early).toBeGreaterThan(5);
  for (let hours = 0; hours < 80; hours++) {
    await runFor(0);
    wait(HOUR);
  }
  const [[, status, attempts, outcome]] = (await statuses()) as [[string, string, number, string]];
  expect([status, outcome]).toEqual(["dead", "answered with status 500"]);
  expect(attempts).toBeLessThan(25);
  const { dead, webhooks } = await json("webhook", "list", "--reference", REFERENCE);
  expect([webhooks[0].dead, dead[0].outcome]).toEqual([1, "answered with status 500"]);
  expect((await json("doctor")).findings).toContainEqual({
    ...{ area: "webhooks", state: "to do" },
    message: `wh_1 of ${REFERENCE} is in order again; deliveries: 1 given up`,
    todo: "begin what was given up anew: npm run admin -- webhook replay --webhook wh_1",
  });
  expect((await json("status")).deliveries).toMatchObject({
    queue: true,
    webhooks: 1,
    disabled: 0,
    pending: 0,
    dead: 1,
    endedBy410: 0,
  });
  receiver.manner = () => ({ status: 200 });
  expect((await run("webhook", "replay", dead[0].id)).code).toBe(0);
  expect((await run("webhook", "replay", dead[0].id)).code).toBe(1);
  await runFor(0);
  expect((await statuses())[0]).toEqual(["PSDXX-TEST-1", "delivered", 1, "answered with status 200"]);
});

test("all that was given up of a webhook is begun anew by one command, or what is newer than an instant, of a PSP in order", async () => {
  await add("wh_1");
  await add("wh_2");
  const day = 24 * HOUR;
  for (let i = 0; i < 3; i++, wait(day)) {
    if (i === 1) for (let copy = 0; copy < 600; copy++) await tell(`PSDXX-TEST-${copy}`);
    else await tell("PSDXX-TEST-1");
  }
  const test = await insertTestEvent(env.DB, { id: "wh_1", fiId }, now);
  await env.DB.prepare("UPDATE webhook_deliveries SET status = 'dead', ended_at = ?1, outcome = 'was silent'")
    .bind(now)
    .run();
  const count = async (webhook: string) =>
    await env.DB.prepare("SELECT count(*) AS n FROM webhook_deliveries WHERE webhook_id = ?1 AND status = 'pending'")
      .bind(webhook)
      .first("n");
  const since = (daysAgo: number) => ["--since", new Date(now - daysAgo * day).toISOString()];
  const replay = (...args: string[]) => json("webhook", "replay", "--webhook", "wh_1", ...args);
  expect(await replay(...since(1))).toMatchObject({ webhook: "wh_1", replayed: 1 });
  expect((await replay(...since(2))).replayed).toBe(600);
  expect((await run("webhook", "replay", "--webhook", "wh_1", ...since(2))).code).toBe(1);
  expect(await replay()).toEqual({ webhook: "wh_1", since: null, replayed: 1 });
  expect([await count("wh_1"), await count("wh_2")]).toEqual([602, 0]);
  expect((await json("webhook", "list", "--reference", REFERENCE)).dead[0].id).toBe(test);
  await env.DB.prepare("DELETE FROM webhook_deliveries WHERE subject <> 'PSDXX-TEST-1' AND status = 'pending'").run();
  await runFor(10 * MINUTE);
  const made = receiver.got.map(({ event }) => Date.parse(event.timestamp));
  expect([made.length, made]).toEqual([3, made.toSorted((a, b) => a - b)]);
});

test.each([
  ["a delivery and a webhook", ["x.wh_1", "--webhook", "wh_1"], 2],
  ["neither", [], 2],
  ["an instant without a webhook", ["x.wh_1", "--since", "2026-11-22"], 2],
  ["no instant", ["--webhook", "wh_1", "--since", "yesterday"], 2],
  ["no such webhook", ["--webhook", "wh_none"], 1],
  ["a disabled webhook", ["--webhook", "wh_1"], 1],
])("webhook replay of %s", async (_, args, code) => {
  await add("wh_1");
  await tell("PSDXX-TEST-1");
  await env.DB.batch([
    env.DB.prepare("UPDATE webhook_deliveries SET status = 'dead', ended_at = 0"),
    env.DB.prepare("UPDATE webhooks SET status = 'disabled', disabled_at = 0"),
  ]);
  expect((await run("webhook", "replay", ...args)).code).toBe(code);
});

test("an event stays while it is to be delivered; what cannot be delivered any more is not begun anew, and nothing waits for it", async () => {
  await add("wh_1");
  receiver.manner = () => ({ status: 500 });
  await tell("PSDXX-TEST-1");
  await runFor(0);
  await deleteOldEvents(env.DB, 1, now + 2 * 24 * HOUR);
  wait(24 * HOUR);
  receiver.manner = () => ({ status: 204 });
  await runFor(0);
  expect((await statuses())[0]?.slice(0, 2)).toEqual(["PSDXX-TEST-1", "delivered"]);
  await deleteOldEvents(env.DB, 1, now + 12 * HOUR);
  const ended = () => env.DB.prepare("SELECT id FROM webhook_deliveries WHERE status <> 'pending'").first<string>("id");
  expect((await run("webhook", "replay", (await ended()) ?? "")).code).toBe(1);
  await tell("PSDXX-TEST-1");
  await runFor(0);
  expect((await statuses()).map(([, status]) => status)).toEqual(["delivered", "delivered"]);
  await env.DB.batch([
    env.DB.prepare("DELETE FROM webhook_deliveries WHERE event_id NOT IN (SELECT id FROM events)"),
    env.DB.prepare("UPDATE webhooks SET status = 'disabled'"),
  ]);
  expect((await run("webhook", "replay", (await ended()) ?? "")).code).toBe(1);
});

test("of more dead deliveries than are listed the newest are", async () => {
  await add("wh_1");
  for (let i = 10; i < 32; i++) await tell(`PSDXX-TEST-${i}`);
  await env.DB.prepare("UPDATE webhook_deliveries SET status = 'dead', ended_at = 0").run();
  const { dead } = await json("webhook", "list", "--reference", REFERENCE);
  const subjects = dead.map(({ subject }: { subject: string }) => subject);
  expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([20, "PSDXX-TEST-31", "PSDXX-TEST-12"]);
});

test("410 ends the webhook and what is pending, and nothing is delivered there any more", async () => {
  await add("wh_1");
  receiver.manner = () => ({ status: 410 });
  for (const subject of ["PSDXX-TEST-1", "PSDXX-TEST-1"]) await tell(subject);
  await runFor(MINUTE);
  await tell("PSDXX-TEST-1");
  await runFor(HOUR);
  expect(receiver.got).toHaveLength(1);
  expect((await statuses()).map(([, status, , outcome]) => [status, outcome])).toEqual([
    ["dead", "answered with status 410"],
    ["dead", "its webhook is disabled"],
  ]);
  expect((await json("webhook", "list", "--reference", REFERENCE)).webhooks[0].status).toBe("disabled");
  // `webhook replay` is refused for it
  const { findings } = await json("doctor");
  const message = `wh_1 of ${REFERENCE} is disabled: its receiver answered with 410, 63 min ago; deliveries: 2 given up`;
  expect(findings).toContainEqual({
    ...{ area: "webhooks", state: "to do", message },
    todo: expect.stringContaining("remove it (npm run admin -- webhook remove wh_1) and add it anew"),
  });
  expect(JSON.stringify(findings)).not.toContain("replay");
});

test.each([
  ["gives no answer", undefined, "gets no answer, the first time 9 min ago (it could not be reached)", "!"],
  ["gives no answer for long", undefined, "gets no answer, the first time 3 h ago (it could not be reached)", "✗"],
  ["refuses", 401, "fails, the first time 9 min ago: its receiver answered with status 401", "!"],
  ["refuses for long", 401, "fails, the first time 3 h ago: its receiver answered with status 401", "✗"],
])(
  "`status` and `doctor` name the webhook whose receiver %s, since when, what waits, and what helps",
  async (name, status, state, mark) => {
    await add("wh_1");
    await add("wh_of_nothing");
    await env.DB.prepare("UPDATE webhooks SET status = 'disabled' WHERE id = 'wh_of_nothing'").run();
    await tell("PSDXX-TEST-1");
    await tell("PSDXX-TEST-1");
    await env.DB.prepare("DELETE FROM webhooks WHERE id = 'wh_of_nothing'").run();
    if (status === undefined) await receiver.down();
    else receiver.manner = () => ({ status });
    await runFor(name.endsWith("long") ? 3 * HOUR : 8 * MINUTE);
    if (status === undefined) await receiver.up();
    const message = `wh_1 of ${REFERENCE} ${state}; deliveries: 2 pending`;
    const text = (await run("status", "--no-json")).stdout;
    expect(text).toContain(`  ${mark} ${message}\n    → ask it now: webhook test wh_1\n`);
    const found = (await json("doctor")).findings.filter(({ area }: { area: string }) => area === "webhooks");
    expect(found).toEqual(
      mark === "✗"
        ? [{ area: "webhooks", state: "to do", message, todo: "ask it now: npm run admin -- webhook test wh_1" }]
        : [expect.objectContaining({ state: "good" })],
    );
    await setInstitutionStatus(env, REFERENCE, "disabled");
    expect((await json("status")).deliveries.failing).toEqual([]);
    await setInstitutionStatus(env, REFERENCE, "active");
  },
);

test("nothing is delivered to an institution that is disabled; enabled again it gets what is still kept", async () => {
  await add("wh_1");
  const day = 24 * HOUR;
  await setInstitutionStatus(env, REFERENCE, "disabled");
  await tell("PSDXX-TEST-1");
  await runFor(10 * MINUTE);
  wait(3 * day);
  await tell("PSDXX-TEST-1");
  await tell("PSDXX-TEST-2");
  await runFor(10 * MINUTE);
  expect([receiver.got.length, (await statuses()).map(([, status]) => status)]).toEqual([
    0,
    ["pending", "pending", "pending"],
  ]);
  const tested = await run("webhook", "test", "wh_1");
  expect([tested.code, tested.stderr]).toEqual([1, expect.stringContaining("its institution is disabled")]);
  await deleteOldEvents(env.DB, 2, now);
  const { results: events } = await env.DB.prepare("SELECT subject FROM events ORDER BY seq").all();
  expect(events.map(({ subject }) => subject)).toEqual(["PSDXX-TEST-1", "PSDXX-TEST-2"]);
  await setInstitutionStatus(env, REFERENCE, "active");
  await runFor(0);
  expect((await statuses()).map(([subject, status]) => [subject, status])).toEqual([
    ["PSDXX-TEST-1", "delivered"],
    ["PSDXX-TEST-2", "delivered"],
  ]);
});

test("a redirect is not followed, and is a failure", async () => {
  await add("wh_1");
  receiver.manner = ({ url }) =>
    url === "/events" ? { status: 307, headers: { Location: "/elsewhere" } } : { status: 200 };
  await tell("PSDXX-TEST-1");
  await runFor(0);
  expect(await statuses()).toEqual([["PSDXX-TEST-1", "pending", 1, "answered with status 307"]]);
  expect(receiver.got.map(({ path }) => path)).toEqual(["/events"]);
});

test("a receiver that is slow has not answered in time, and one that asks for patience is left alone", async () => {
  await add("wh_1");
  receiver.manner = () => undefined;
  await tell("PSDXX-TEST-1");
  const due = async () => (await takeTurns(env.DB, now, 10))[0] ?? "none";
  await deliver(env.DB, await due(), { env: bindings(), now, timeoutMs: 300 });
  expect(await statuses()).toEqual([["PSDXX-TEST-1", "pending", 1, "did not answer in time"]]);
  receiver.manner = () => ({ status: 503, headers: { "Retry-After": "1800" } });
  await runFor(20 * MINUTE);
  expect(await statuses()).toEqual([["PSDXX-TEST-1", "pending", 2, "answered with status 503"]]);
  receiver.manner = () => ({ status: 202 });
  await runFor(15 * MINUTE);
  expect((await statuses())[0]?.slice(1, 3)).toEqual(["delivered", 3]);
});

const openssl = findTool("openssl");
test.skipIf(openssl === null)("a certificate that nobody vouches for is no receiver", async () => {
  const folder = mkdtempSync(join(tmpdir(), "psp-gate-tls-"));
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name)) as [string, string];
  execFileSync(openssl ?? "", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
    ...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
  ]);
  const own = await startReceiver(() => secret, { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") });
  await add("wh_1", own.url);
  await tell("PSDXX-TEST-1");
  await runFor(0);
  await own.down();
  expect(own.got).toEqual([]);
  expect(await statuses()).toEqual([["PSDXX-TEST-1", "pending", 1, "could not be reached: TLS failed"]]);
});

test("an attempt whose end could not be noted is made again, under the same id", async () => {
  await add("wh_1");
  await tell("PSDXX-TEST-1");
  const [id = ""] = await takeTurns(env.DB, now, 1);
  // two at once: what a lost note and a message that is delivered twice look like to the receiver
  await Promise.all([1, 2].map(() => deliver(env.DB, id, { env: bindings(), now })));
  expect(new Set(receiver.got.map((got) => got.id)).size).toBe(1);
  expect(receiver.got).toHaveLength(2);
  expect((await statuses())[0]?.[1]).toBe("delivered");
  await runFor(HOUR);
  expect(receiver.got).toHaveLength(2);
});

test("a secret is sealed by the scheduled run, again after a rotation, and opens only while its key is there", async () => {
  await add("wh_1");
  const stored = () => env.DB.prepare("SELECT secret, kid FROM webhooks").first<{ secret: string; kid: string }>();
  expect((await stored())?.secret).toBe(secret);
  await runFor(0);
  const sealed = await stored();
  expect([sealed?.kid, sealed?.secret.includes(secret.slice(6, 20))]).toEqual(["20260101T000000Z", false]);
  keys = { ...KEY_1, ...KEY_2 };
  await runFor(0);
  expect((await stored())?.kid).toBe("20270101T000000Z");
  keys = KEY_2;
  await tell("PSDXX-TEST-1");
  await runFor(0);
  expect((await statuses())[0]?.[1]).toBe("delivered");
  keys = KEY_1;
  await tell("PSDXX-TEST-1");
  await runFor(0);
  expect((await statuses())[1]?.slice(1)).toEqual([
    ...["pending", 1, "could not be signed for: the token key 20270101T000000Z is gone"],
  ]);
});

test.each([
  ["http://bank.example/events", "is not https"],
  ["https://127.0.0.1/events", "leads to a private network"],
  ["https://[::ffff:10.0.0.1]/events", "leads to a private network"],
  ["https://0x7f.1/events", "leads to a private network"],
  ["https://192.0.1.1/events", "names its host by an IP address"],
  ["https://[2606:4700:4700::1111]/events", "names its host by an IP address"],
  ["https://localhost/events", "leads to a private network|has a host whose address cannot be found"],
  ["https://nobody.invalid/events", "has a host whose address cannot be found"],
  ["https://user:pass@bank.example/events", "holds credentials"],
  ["bank.example", "is not an address"],
])("webhook add refuses %s, as on a deployment", async (url, why) => {
  vi.stubEnv("WEBHOOK_TARGETS", "public");
  const { code, stderr } = await run("webhook", "add", "--reference", REFERENCE, "--url", url);
  vi.unstubAllEnvs();
  expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
  expect((await json("webhook", "list", "--reference", REFERENCE)).webhooks).toEqual([]);
});

const LOGIN = "<!DOCTYPE html><html><body>Sign in</body></html>";
test.each([
  ["takes it, with a word", { status: 200, body: "ok" }, 0, "✓ delivered: the receiver answered with status 200", null],
  [
    ...["is a login page", { status: 200, body: LOGIN }, 3],
    ...["? delivered: the receiver answered with status 200 and an HTML page", "answers with a web page"],
  ],
  [
    ...["has moved", { status: 302, headers: { Location: "/login" }, body: LOGIN }, 1],
    ...["✗ not delivered: the receiver answered with status 302", "no redirect is followed"],
  ],
] as const)("webhook test of a receiver that %s says what is to be done", async (_, answer, code, state, advice) => {
  const dev = { ...KEY_1, WEBHOOK_TARGETS: "any" };
  await writeFile(
    join(STATE_DIR, ".dev.vars"),
    Object.entries(dev)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  await add("wh_1");
  receiver.manner = () => answer;
  const { code: ended, stdout } = await run("webhook", "test", "wh_1", "--no-json");
  expect([ended, stdout.split("\n  → ").length]).toEqual([code, advice === null ? 1 : 2]);
  expect(stdout).toContain(state);
  if (advice !== null)
    expect(stdout).toContain(`  → ${receiver.url} ${advice.startsWith("no ") ? "redirects, and " : ""}${advice}`);
});

test("webhook add prints the secret once, test says why it is not delivered, and remove ends it", async () => {
  await writeFile(join(STATE_DIR, ".dev.vars"), `${Object.entries(KEY_1).map(([name, key]) => `${name}=${key}`)}\n`);
  // no name has an address here
  vi.stubEnv("WEBHOOK_TARGETS", "any");
  const made = await json("webhook", "add", "--reference", REFERENCE, "--url", "https://bank.example/events");
  vi.unstubAllEnvs();
  expect(made).toEqual({
    id: expect.stringMatching(/^wh_/),
    url: "https://bank.example/events",
    secret: expect.stringMatching(/^whsec_/),
  });
  expect((await run("webhook", "list", "--reference", REFERENCE)).stdout).not.toContain(made.secret);
  // an address of the time before: it is looked at again before each delivery
  await env.DB.prepare("UPDATE webhooks SET url = 'http://bank.example/events'").run();
  // the second one does not wait for the first, which will be repeated
  for (const _ of [1, 2]) {
    wait(MINUTE);
    const tested = await run("webhook", "test", made.id);
    expect([tested.code, JSON.parse(tested.stdout)]).toMatchObject([
      1,
      { outcome: "was not asked: its address is not https" },
    ]);
  }
  expect(receiver.got).toEqual([]);
  expect((await run("webhook", "remove", made.id)).code).toBe(0);
  expect((await run("webhook", "test", made.id)).code).toBe(1);
  expect((await run("webhook", "add", "--reference", "PSDXX-NOBODY", "--url", "https://bank.example/")).code).toBe(1);
});
