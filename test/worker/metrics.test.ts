/** GET /metrics: for the operator's token alone, and true of all isolates. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { app } from "../../src/app.ts";
import { METRICS_STATEMENTS } from "../../src/routes/metrics/databases.ts";
import { readMetrics } from "../unit/routes/metrics/metrics-reader.ts";
import { AUDIENCE, assertBy, makeKey, type Pair, TEAM } from "./access-team.ts";
import { call } from "./bank.ts";
import { countRoundTrips } from "./bindings.ts";
import { recordOf } from "./evidence/ledger/records.ts";
import { failingDatabase } from "./faults/failing-database.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "./sandbox.ts";

const TOKEN = "q7Vb2nR9sLx4tW8kPz3cYd6fHg1jMa5e";
const open = { ...env, METRICS_TOKEN: TOKEN };
const OPENMETRICS = { Accept: "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5" };

beforeAll(loadSandbox);
afterEach(() => void vi.restoreAllMocks());

function ask(headers: Record<string, string> = {}, bindings: object = open, method = "GET"): Promise<Response> {
  const sent = { Authorization: `Bearer ${TOKEN}`, ...headers };
  const request = new Request("http://service.test/metrics", { method, headers: sent });
  return Promise.resolve(app.fetch(request, bindings as Cloudflare.Env, createExecutionContext()));
}
const read = async (bindings: object = open) => readMetrics(await (await ask({}, bindings)).text(), "Prometheus");
const sampleOf = async (name: string, labels: string, bindings: object = open) =>
  (await read(bindings)).get(`psp_gate_${name}`)?.samples.get(labels);

describe("who reads it", () => {
  test("a deployment without a token, or with one that can be guessed, has no metrics", async () => {
    for (const METRICS_TOKEN of [undefined, "", TOKEN.slice(1)]) {
      const answer = await ask({ Authorization: `Bearer ${METRICS_TOKEN}` }, { ...env, METRICS_TOKEN });
      expect(answer.status).toBe(404);
    }
  });

  test.each([
    ["no credential", "", "credentials_missing"],
    ["a bank's", SANDBOX_FI.Authorization, "credentials_missing"],
    ["the token as Basic", `Basic ${btoa(`metrics:${TOKEN}`)}`, "credentials_missing"],
    ["another token", `Bearer ${TOKEN.toLowerCase()}`, "credentials_invalid"],
    ["a part of it", `Bearer ${TOKEN.slice(0, -1)}`, "credentials_invalid"],
    ["more than it", `Bearer ${TOKEN}e`, "credentials_invalid"],
  ])("%s: 401, and no store is asked", async (_, Authorization, code) => {
    const { env: counted, trips } = countRoundTrips(open as unknown as Cloudflare.Env, { ledger: true });
    const answer = await ask({ Authorization, fi_reference_id: SANDBOX_FI.fi_reference_id, version: "1" }, counted);
    const { errors } = (await answer.json()) as { errors: { code: string }[] };
    expect([answer.status, errors.map((error) => error.code)]).toEqual([401, [code]]);
    expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="metrics"');
    expect(trips.calls).toEqual([]);
  });

  describe("by Cloudflare Access", () => {
    let [team, stranger]: Pair[] = [];
    beforeAll(async () => {
      [team, stranger] = [await makeKey("first"), await makeKey("first")];
    });
    const bindings = { ...env, ACCESS_TEAM_DOMAIN: TEAM, ACCESS_AUDIENCE: AUDIENCE };
    async function askBy(claims: object, { key = team, vars = {}, Authorization = "" } = {}) {
      vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ keys: [team?.jwk] }));
      const assertion = await assertBy(key as Pair, claims);
      return await ask({ Authorization, "Cf-Access-Jwt-Assertion": assertion }, { ...bindings, ...vars });
    }
    const ROBOT = { email: undefined, common_name: "robot.access", sub: "" };

    test("a person, and the service token of a monitor, with and without a METRICS_TOKEN", async () => {
      for (const vars of [{}, { METRICS_TOKEN: TOKEN }])
        for (const claims of [{}, ROBOT]) expect((await askBy(claims, { vars })).status).toBe(200);
    });

    test.each<[string, object]>([
      ["its audience is not", { aud: ["b".repeat(64)] }],
      ["its issuer is not", { iss: "https://evil.cloudflareaccess.com" }],
      ["it has expired", { exp: 1 }],
      ["it names neither", { ...ROBOT, common_name: "" }],
    ])("%s: 401", async (reason, claims) => {
      const answer = await askBy(claims);
      expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining(reason)]);
    });

    test("signed by another: 401; a wrong Bearer beside a good one: 401; no assertion: 401", async () => {
      expect((await askBy({}, stranger ? { key: stranger } : {})).status).toBe(401);
      const wrong = { vars: { METRICS_TOKEN: TOKEN }, Authorization: `Bearer ${TOKEN}x` };
      expect((await askBy({}, wrong)).status).toBe(401);
      expect((await ask({ Authorization: "" }, bindings)).status).toBe(401);
    });

    test("where the deployment names no team or no application it opens nothing", async () => {
      for (const name of ["ACCESS_TEAM_DOMAIN", "ACCESS_AUDIENCE"])
        expect((await askBy({}, { vars: { [name]: "" } })).status).toBe(404);
    });
  });

  test("it is only read", async () => {
    const answer = await ask({}, open, "POST");
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET"]);
  });

  test("the token opens the status, and nothing of a bank", async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    expect((await call("GET", "/status", { headers, env: open })).status).toBe(200);
    expect((await call("GET", "/v1/audit/records", { headers, env: open })).status).toBe(401);
  });

  test("the token is not in the log", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await ask();
    await ask({ Authorization: `Bearer ${TOKEN}x` });
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line))["outcome"])).toEqual(["ok", "credentials_invalid"]);
    expect(log.mock.calls.join()).not.toContain(TOKEN);
  });
});

test("both forms can be read, each with its type, and neither is stored on the way", async () => {
  const [older, newer] = [await ask(), await ask(OPENMETRICS)];
  expect(older.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(newer.headers.get("Content-Type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  expect([older, newer].map(({ headers }) => headers.get("Cache-Control"))).toEqual(["no-store", "no-store"]);
  expect(readMetrics(await older.text(), "Prometheus").size).toBe(readMetrics(await newer.text(), "OpenMetrics").size);
});

test("a request is counted once it is recorded, by outcome; asking for the metrics is none", async () => {
  const labels = (outcome: string) =>
    `fi="${SANDBOX_FI.fi_reference_id}",endpoint="GET /v1/psp/eidas",outcome="${outcome}"`;
  const count = async (outcome: string) => (await sampleOf("requests_total", labels(outcome))) ?? 0;
  const before = [await count("ok"), await count("jurisdiction_missing")];
  const headers = { eidas: eidasHeader("scenario-1") };
  await recordOf(await call("GET", "/v1/psp/eidas?jurisdiction=XX", { headers }));
  await recordOf(await call("GET", "/v1/psp/eidas?jurisdiction=XX", { headers }));
  await recordOf(await call("GET", "/v1/psp/eidas", { headers }));
  expect([await count("ok"), await count("jurisdiction_missing")]).toEqual([
    (before[0] ?? 0) + 2,
    (before[1] ?? 0) + 1,
  ]);
  const all = `fi="${SANDBOX_FI.fi_reference_id}",endpoint="GET /v1/psp/eidas",le="+Inf"`;
  expect(await sampleOf("request_duration_seconds", all)).toBe(
    (await count("ok")) + (await count("jurisdiction_missing")),
  );
});

test("counters begin anew at midnight UTC", async () => {
  await recordOf(await call("GET", "/v1/psp/eidas?jurisdiction=XX", { headers: { eidas: eidasHeader("scenario-1") } }));
  expect((await read()).has("psp_gate_requests_total")).toBe(true);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
  const tomorrow = await read();
  vi.useRealTimers();
  expect(tomorrow.has("psp_gate_requests_total")).toBe(false);
  expect(tomorrow.has("psp_gate_ledger_records_total")).toBe(true);
});

test("two rounds: KV and a call of D1 beside each database's own, then each ledger once", async () => {
  const { env: counted, trips } = countRoundTrips(open as unknown as Cloudflare.Env, { ledger: true });
  await ask({}, counted);
  const calls = (name: string) => trips.calls.filter((each) => each === name).length;
  // refreshes and damage for the status; the first database; and each of the four
  expect(calls("DB")).toBe(6);
  const institutions = await env.DB.prepare("SELECT count(*) AS n FROM financial_institutions").first<number>("n");
  expect(calls("LEDGER")).toBe(institutions);
  expect(trips.sequence.at(-1)?.every((name) => name === "LEDGER")).toBe(true);
});

test("of more than 50 institutions the others are counted, and not asked", async () => {
  const add = env.DB.prepare(
    "INSERT INTO financial_institutions (name, fi_reference_id, status, created_at) VALUES ('x', ?1, 'active', 1)",
  );
  const before = (await env.DB.prepare("SELECT count(*) AS n FROM financial_institutions").first<number>("n")) ?? 0;
  await env.DB.batch(Array.from({ length: 55 - before }, (_, i) => add.bind(`PSDXX-MANY-${i}`)));
  const metrics = await read();
  expect(metrics.get("psp_gate_ledger_up")?.samples.size).toBe(50);
  expect(metrics.get("psp_gate_ledgers_left_out")?.samples.get("")).toBe(5);
  await env.DB.exec("DELETE FROM financial_institutions WHERE name = 'x'");
});

describe("what does not answer", () => {
  test("a ledger: it is down, and the rest is there", async () => {
    const fails = async () => {
      throw new Error("no");
    };
    const silent = { ...open, LEDGER: { getByName: () => ({ totals: fails }) } };
    const labels = `fi="${SANDBOX_FI.fi_reference_id}"`;
    expect(await sampleOf("ledger_up", labels)).toBe(1);
    expect(await sampleOf("ledger_up", labels, silent)).toBe(0);
    expect(await sampleOf("ledger_records_total", labels, silent)).toBeUndefined();
    expect(await sampleOf("d1_up", 'database="DB"', silent)).toBe(1);
  });

  test("a database beside the first: it is down, and the rest is there", async () => {
    const second = (env as unknown as Record<string, D1Database>)["DB_2"] as D1Database;
    const broken = { ...open, DB_2: failingDatabase(second, () => true, "before") };
    expect(await sampleOf("d1_up", 'database="DB_2"', broken)).toBe(0);
    expect(await sampleOf("d1_size_bytes", 'database="DB_2"', broken)).toBeUndefined();
    expect(await sampleOf("d1_size_bytes", 'database="DB"', broken)).toBeGreaterThan(0);
  });

  test("the first database: 503", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = await ask({}, { ...open, DB: failingDatabase(env.DB, () => true, "before") });
    expect(answer.status).toBe(503);
  });
});

test("what waits is counted, with the age of the oldest; events are counted for ever", async () => {
  const [now, database] = [Date.now(), 'database="DB"'];
  const fi = await env.DB.prepare("SELECT min(id) AS id FROM financial_institutions").first<number>("id");
  const insert = env.DB.prepare(`INSERT INTO webhook_deliveries
    (id, fi_id, webhook_id, event_id, event_seq, subject, status, created_at, next_at, ended_at)
    VALUES (?1, ?2, 'w', ?1, 1, 's', ?3, ?4, ?4, ?5)`);
  const event = env.DB.prepare(
    "INSERT INTO events (id, fi_id, type, subject, data, created_at) VALUES (?1, ?2, 't', 's', '{}', 1)",
  );
  const before = (await sampleOf("events_total", database)) ?? 0;
  await env.DB.batch([
    insert.bind("a", fi, "pending", now - 600_000, null),
    insert.bind("b", fi, "pending", now - 60_000, null),
    insert.bind("c", fi, "dead", now - 7_200_000, now - 60_000),
    insert.bind("d", fi, "dead", now - 7_200_000, now - 7_100_000),
    insert.bind("e", fi, "delivered", now - 60_000, now),
    event.bind("a", fi),
    event.bind("b", fi),
  ]);
  await env.DB.exec("DELETE FROM events");
  expect(await sampleOf("webhook_deliveries_waiting", database)).toBe(2);
  const oldest = (await sampleOf("webhook_deliveries_oldest_age_seconds", database)) ?? 0;
  expect(oldest).toBeGreaterThanOrEqual(600);
  expect(oldest).toBeLessThan(1_200);
  expect(await sampleOf("webhook_deliveries_given_up", database)).toBe(1);
  expect(await sampleOf("events_total", database)).toBe(before + 2);
  await env.DB.exec("DELETE FROM webhook_deliveries");
});

test("what is counted stands in an index, and no more than 10,000 rows are read", async () => {
  const indexes = { notices: "notices_untold", pending: "webhook_deliveries_due", dead: "webhook_deliveries_ended" };
  for (const [name, index] of Object.entries(indexes)) {
    const sql = METRICS_STATEMENTS[name as keyof typeof indexes];
    const statement = env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`);
    const { results } = await (sql.includes("?1") ? statement.bind(0) : statement).all<{ detail: string }>();
    expect(results.map(({ detail }) => detail).join()).toContain(index);
    expect(sql).toContain("LIMIT 10000");
  }
});
