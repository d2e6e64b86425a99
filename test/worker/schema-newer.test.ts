/** A release that was deployed over a newer one: the database has a migration that it does not know. */
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { SCHEMA_NEWER } from "../../src/platform/schema-version.ts";
import { call } from "./bank.ts";
import { loadSandbox, SANDBOX_FI } from "./sandbox.ts";

const BLOCK = "/v1/accounts/4711/block";
// what is remembered of callers and of the health is over then
let now = Date.parse("2026-11-22T00:00:00Z");
const migrate = (age: string) =>
  env.DB.prepare("INSERT INTO d1_migrations (name, applied_at) VALUES ('0999_newer.sql', datetime('now', ?1))")
    .bind(age)
    .run();

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await loadSandbox();
});
beforeEach(() => {
  now += 600_000;
  vi.setSystemTime(now);
});
afterAll(() => void vi.useRealTimers());
afterEach(() => env.DB.prepare("DELETE FROM d1_migrations WHERE name = '0999_newer.sql'").run());

test("writes are refused with a sentence, reads are answered, and health says why", async () => {
  await migrate("-11 minutes");
  const refused = await call("DELETE", BLOCK, { headers: SANDBOX_FI });
  expect(refused.status).toBe(503);
  expect(refused.body).toMatchObject({ errors: [{ code: "temporarily_unavailable", title: SCHEMA_NEWER }] });
  expect((await call("GET", BLOCK, { headers: SANDBOX_FI })).status).not.toBe(503);
  expect((await call("GET", "/health")).body).toMatchObject({
    ...{ status: "degraded", reasons: expect.arrayContaining(["schema_newer"]) },
  });
});

test("in the minutes in which a deployment hands over, the release before it goes on", async () => {
  await migrate("-9 minutes");
  expect((await call("DELETE", BLOCK, { headers: SANDBOX_FI })).status).not.toBe(503);
  expect((await call("GET", "/health")).body).not.toMatchObject({ reasons: expect.arrayContaining(["schema_newer"]) });
});
