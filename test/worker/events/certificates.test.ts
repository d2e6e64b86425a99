/** What a check leaves behind its answer: who issued the certificate, and that it is revoked. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { call } from "../bank.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";

beforeAll(loadSandbox);

const AMBER = "PSDXX-TEST-000001";
const rows = async (sql: string) => (await env.DB.prepare(sql).all()).results;
const CERTIFICATES = "SELECT psp_id, source, jurisdiction, service_name FROM shown_certificates ORDER BY psp_id";
const check = async (name: string, bindings = env) => {
  const headers = { eidas: eidasHeader(name) };
  return (await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers, env: bindings })).body.eIDAS.validity;
};

test("the listed service that issued it, once for each isolate", async () => {
  await check("scenario-1");
  // what writes it is loaded with the first one
  await vi.waitUntil(async () => (await rows(CERTIFICATES)).length === 1, { timeout: 60_000 });
  expect(await rows(CERTIFICATES)).toEqual([
    { psp_id: AMBER, source: "sandbox", jurisdiction: "XX", service_name: expect.any(String) },
  ]);
  // another jurisdiction is another check of the same certificate
  await env.DB.prepare("DELETE FROM shown_certificates").run();
  await call("GET", "/v1/psp/eidas?jurisdiction=xy", { headers: { eidas: eidasHeader("scenario-1") } });
  const body = { eIDAS: eidasHeader("scenario-3"), scope: "accounts" };
  await call("POST", "/v1/obie/ccg_tokens", { body });
  await vi.waitUntil(async () => (await rows(CERTIFICATES)).length === 1);
  expect(await rows(CERTIFICATES)).toMatchObject([{ psp_id: "PSDXX-TEST-000003" }]);
});

test("whether its PSP was in the register that day", async () => {
  const seen = await rows("SELECT observed_on, in_register FROM shown_certificates");
  expect(seen).toEqual([{ observed_on: new Date().toISOString().slice(0, 10), in_register: 1 }]);
});

test("one of many in a body is noted, too", async () => {
  const checks = [{ eIDAS: eidasHeader("scenario-8"), jurisdictions: ["XX"] }];
  await call("POST", "/v1/psp/checks", { body: { checks } });
  await vi.waitUntil(async () => (await rows(`${CERTIFICATES}`)).length === 2);
});

test("while D1 is down the answer is the same, and what was not noted is logged", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const { prepare } = {
    prepare: () => {
      throw new Error("down");
    },
  };
  const down = new Proxy(env.DB, {
    get: (target, name) => (name === "prepare" ? prepare : Reflect.get(target, name)),
  });
  expect(await check("accounts-only", { ...env, DB: down })).toMatchObject({ validQTSP: true });
  await vi.waitUntil(() => error.mock.calls.some(([line]) => String(line).includes("certificate_not_noted")));
  error.mockRestore();
  // and is noted with the next check of it
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
  await check("accounts-only");
  vi.useRealTimers();
  await vi.waitUntil(async () => (await rows(CERTIFICATES)).some(({ psp_id }) => psp_id === "PSDXX-TEST-000011"));
});

test("what a request did not end to write, because it was cancelled, is noted a minute later", async () => {
  const silent = { ...env, DB: failingDatabase(env.DB, (sql) => sql.includes("shown_certificates"), "never") };
  expect(await check("payments-only", silent)).toMatchObject({ validQTSP: true });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  await check("payments-only");
  vi.useRealTimers();
  await vi.waitUntil(async () => (await rows(CERTIFICATES)).some(({ psp_id }) => psp_id === "PSDXX-TEST-000012"));
});

test("a revoked one is a notice, with the certificate and the CRL that says so", async () => {
  expect(await check("scenario-5")).toMatchObject({ validSignature: true, notRevoked: false });
  // that is expired counts as revoked, and says nothing of the PSP's other certificates
  expect(await check("scenario-4")).toMatchObject({ validSignature: false, notRevoked: false });
  await vi.waitUntil(async () => (await rows("SELECT id FROM notices")).length > 0);
  const [notice, ...more] = await rows("SELECT type, psp_id, data FROM notices ORDER BY id");
  expect(more).toEqual([]);
  expect(notice).toMatchObject({ type: "psp.certificate_revoked", psp_id: "PSDXX-TEST-000005" });
  const { before, after, evidence } = JSON.parse(String(notice?.["data"]));
  expect([before.revoked, after.revoked]).toEqual([false, true]);
  expect(evidence).toEqual([
    { document: "certificate", sha256: after.certificate },
    ...evidence.slice(1).map(() => ({ document: "CRL", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })),
  ]);
  expect(evidence.length).toBeGreaterThan(1);
});

test("a first grant by a certificate that is new stores with the register who issued it", async () => {
  const query = { response_type: "code", redirect_uri: "https://psp.example/callback", scope: "accounts" };
  const body = { account_id: "4711", client_request_query_parameters: query };
  const headers = { eidas: eidasHeader("scenario-10") };
  expect((await call("POST", "/v1/oauth2/authorization_codes", { body, headers })).status).toBe(201);
  await vi.waitUntil(async () => (await rows("SELECT standing FROM psp_standings")).length > 0);
  const [{ standing } = {}] = await rows("SELECT standing FROM psp_standings");
  expect(JSON.parse(String(standing)).issuers).toMatchObject([{ source: "sandbox", status: "granted" }]);
});
