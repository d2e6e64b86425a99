/** GET /health as a monitor reads it: 200 with the reasons' codes, 503 when nothing can be said. */
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { VERSION } from "../../../src/platform/version.ts";
import { call } from "../bank.ts";
import { holdDeadlines, passDeadline } from "../faults/deadlines.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { loadSandbox } from "../sandbox.ts";

// an answer is kept for ten seconds
let now = Date.parse("2026-11-22T00:00:00Z");
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await loadSandbox();
});
afterAll(() => {
  vi.useRealTimers();
});
afterEach(() => void vi.restoreAllMocks());
async function health(bindings: Cloudflare.Env = env) {
  now += 20_000;
  vi.setSystemTime(now);
  const { status, body } = await call("GET", "/health", { env: bindings });
  return { status, body };
}

test("up: no reasons", async () => {
  expect(await health()).toEqual({ status: 200, body: { status: "up", reasons: [], version: VERSION } });
});

test.each(["/health", "/status", "/.well-known/jwks.json"])(
  "HEAD %s: a monitor gets the status of GET, and no content",
  async (path) => {
    const headers = {
      Authorization: `Basic ${btoa("sandbox-fi:sandbox-secret")}`,
      fi_reference_id: "PSDXX-TEST-FI0001",
    };
    const waitUntil = () => {};
    const request = new Request(`http://service.test${path}`, { method: "HEAD", headers });
    const answer = await app.fetch(request, env, { waitUntil } as unknown as ExecutionContext);
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    const refused = await app.fetch(new Request(request, { method: "PATCH" }), env, {
      waitUntil,
    } as unknown as ExecutionContext);
    expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  },
);

test("degraded: the code of each reason once, and no name of a source", async () => {
  const fail = env.DB.prepare(
    "INSERT INTO refreshes (task, due_at, failures, failed_at, error) VALUES (?1, 1e14, 5, 1, 'no answer')",
  );
  await env.DB.batch([fail.bind("trust/eIDAS/CZ"), fail.bind("trust/eIDAS/FI")]);
  const body = { status: "degraded", reasons: ["trusted_list_failing"], version: VERSION };
  expect(await health()).toEqual({ status: 200, body });
  await env.DB.exec("DELETE FROM refreshes");
});

test("degraded: no scheduled run for an hour, be it that the cron trigger never ran after a refresh by hand", async () => {
  const due = (task: string, at: number) =>
    env.DB.prepare("INSERT INTO refreshes (task, due_at) VALUES (?1, ?2)").bind(task, at).run();
  // by hand: nobody looks after it
  await due("register/nca/XX", 0);
  await due("trust/sandbox/XX", 0);
  await due("events", now);
  expect(await health()).toMatchObject({ body: { status: "up", reasons: [] } });
  now += 3_600_000;
  expect(await health()).toEqual({
    status: 200,
    body: { status: "degraded", reasons: ["refresh_overdue"], version: VERSION },
  });
  await env.DB.exec("DELETE FROM refreshes");
});

test.each<[string, () => Promise<never>]>([
  [
    "fails",
    async () => {
      throw new Error("secret-of-the-inside");
    },
  ],
  ["does not answer", passDeadline],
])("a store that %s: 503, nothing of the inside", async (_, broken) => {
  holdDeadlines();
  const list = { ...env, KV: { list: broken, get: broken } } as unknown as Cloudflare.Env;
  const body = { status: "down", reasons: ["store_unreachable"], version: VERSION };
  expect(await health(list)).toEqual({ status: 503, body });
  expect(await health()).toMatchObject({ status: 200, body: { status: "up" } });
});

test("degraded: a database beside the first that does not answer", async () => {
  holdDeadlines();
  const silent = { ...env, DB_2: failingDatabase(env.DB, () => true, "never") } as Cloudflare.Env;
  expect(await health(silent)).toMatchObject({ status: 200, body: { reasons: ["store_unreachable"] } });
});
