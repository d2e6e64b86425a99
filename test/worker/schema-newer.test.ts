/** A release that meets a newer one's schema, as in a gradual deployment or after a rollback. */
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { storeShownCertificate } from "../../src/events/issuers.ts";
import { addNotice } from "../../src/events/notices.ts";
import { SCHEMA_NEWER_TEXT, WRITES_REFUSED_TEXT } from "../../src/platform/schema-version.ts";
import { refreshDue } from "../../src/refresh/scheduled.ts";
import { call } from "./bank.ts";
import { Visitor } from "./console/visitor.ts";
import { loadSandbox, SANDBOX_FI } from "./sandbox.ts";

const BLOCK = "/v1/accounts/4711/block";
// what is remembered of callers and of the health is over then
let now = Date.parse("2026-11-22T00:00:00Z");
const migrate = (name: string) => env.DB.prepare("INSERT INTO d1_migrations (name) VALUES (?1)").bind(name).run();
const readLease = () => env.DB.prepare("SELECT holder FROM refresh_lease").first("holder");
const ADDITIVE = "0998_newer.additive.sql";

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await loadSandbox();
});
beforeEach(() => {
  now += 600_000;
  vi.setSystemTime(now);
});
afterAll(() => void vi.useRealTimers());
afterEach(() => env.DB.prepare("DELETE FROM d1_migrations WHERE name > '0900'").run());

test("beside an additive migration everything is written, and health says that a newer release was there", async () => {
  await migrate(ADDITIVE);
  expect((await call("DELETE", BLOCK, { headers: SANDBOX_FI })).status).not.toBe(503);
  expect((await call("GET", "/health")).body).toMatchObject({
    ...{ status: "degraded", reasons: expect.arrayContaining(["schema_newer"]) },
  });
  expect(await readReasons()).toContain(SCHEMA_NEWER_TEXT);
});

test.each(["0999_newer.breaking.sql", "0999_newer.sql"])(
  "beside %s the API reads, and writes nothing",
  async (name) => {
    await migrate(ADDITIVE);
    await migrate(name);
    const refused = await call("DELETE", BLOCK, { headers: SANDBOX_FI });
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ errors: [{ code: "temporarily_unavailable", title: WRITES_REFUSED_TEXT }] });
    expect((await call("GET", BLOCK, { headers: SANDBOX_FI })).status).not.toBe(503);
    expect(await readReasons()).toContain(WRITES_REFUSED_TEXT);
  },
);

test("the console refuses its forms with the sentence, and shows its pages", async () => {
  const visitor = new Visitor();
  await visitor.signIn();
  await migrate("0999_newer.breaking.sql");
  const refused = await visitor.post("/console/sign-out", {});
  expect(refused.status).toBe(503);
  expect(refused.text).toContain(WRITES_REFUSED_TEXT);
  expect((await visitor.get("/console/permissions")).status).toBe(200);
});

test("what is read leaves nothing behind: neither the certificate of a check, nor the use of a session", async () => {
  const visitor = new Visitor();
  await visitor.signIn();
  await migrate("0999_newer.breaking.sql");
  vi.setSystemTime(now + 600_000);
  const shown = { pspId: "PSDXX-TEST-1", certificate: "c", chain: "[]", anchor: "a" };
  const issuer = { source: "s", jurisdiction: "XX", serviceName: "n", notAfter: now };
  await storeShownCertificate(env.DB, { ...shown, ...issuer }, { observedOn: "2026-11-22", inRegister: 1 });
  const notice = { id: "n", type: "psp.certificate_revoked", subject: "s", pspId: "s", country: null } as const;
  await addNotice(env.DB, { ...notice, news: { before: 1, after: 2, evidence: [] } }, now);
  expect((await visitor.get("/console/permissions")).status).toBe(200);
  const left = env.DB.prepare(`SELECT
    (SELECT count(*) FROM shown_certificates WHERE certificate = 'c') + (SELECT count(*) FROM notices WHERE id = 'n') AS rows,
    (SELECT max(used_at) FROM console_sessions) AS used`);
  await expect.poll(() => left.first(), { timeout: 60_000 }).toEqual({ rows: 0, used: now });
});

test("the scheduled run takes no lease, and says so in one line", async () => {
  await env.DB.prepare("DELETE FROM refresh_lease").run();
  await migrate("0999_newer.breaking.sql");
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await refreshDue(env, () => now)).toEqual([]);
  expect(said.mock.calls).toEqual([[JSON.stringify({ event: "refresh", ok: false, error: WRITES_REFUSED_TEXT })]]);
  said.mockRestore();
  expect(await readLease()).toBeNull();
});

async function readReasons(): Promise<string[]> {
  const { body } = await call("GET", "/status", { headers: SANDBOX_FI });
  return (body as { reasons: { message: string }[] }).reasons.map(({ message }) => message);
}
