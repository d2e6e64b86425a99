/** Replays of a code while a store fails: the token that it gave ends all the same. The simulation tries them, too (test/sim/past-faults.ts). */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { clock } from "../../../src/platform/clock.ts";
import { call, codesOf } from "../bank.ts";
import { loadSandbox } from "../sandbox.ts";
import { failingDatabase } from "./failing-database.ts";
import { active, brokenDatabase, FLOWS, failInserts, list, objectsWithout, settled } from "./failing-exchange.ts";

beforeAll(loadSandbox);
beforeEach(() => {
  vi.spyOn(clock, "wait").mockResolvedValue();
});
afterEach(() => vi.restoreAllMocks());

test("a replay whose revocation fails says so, and the next one revokes", async () => {
  const { code } = await FLOWS.core.obtain("replayed");
  const token = (await FLOWS.core.send(code, "replayed")).body.data.access_token;
  const failed = await FLOWS.core.send(code, "replayed", { env: brokenDatabase });
  expect([failed.status, failed.body.errors[0].title]).toEqual([
    503,
    expect.stringMatching(/used before.*could not be revoked yet/),
  ]);
  expect(await active("replayed")).toEqual([token]);
  expect(codesOf(await FLOWS.core.send(code, "replayed"))).toEqual(["code_used"]);
  expect(await active("replayed")).toEqual([]);
});

test("a replay revokes what was given back as well", async () => {
  const { code } = await FLOWS.core.obtain("replayed-5");
  // stored, not confirmed, not revoked in the background, and given back
  const unconfirmed = failingDatabase(env.DB, (sql) => sql.includes("RETURNING expires_at"), "after");
  const noRevocation = failingDatabase(unconfirmed, (sql) => /INTO tokens.+\?8, \?8, \?8/s.test(sql), "before");
  expect((await FLOWS.core.send(code, "replayed-5", { env: { ...env, DB: noRevocation } })).status).toBe(503);
  await settled();
  expect(await active("replayed-5")).toHaveLength(1);
  // used by an attempt that neither stores its token nor gives the code back
  const stuck = { ...brokenDatabase, AUTHORIZATION_CODE: objectsWithout("giveBack") } as unknown as Cloudflare.Env;
  expect((await FLOWS.core.send(code, "replayed-5", { env: stuck })).status).toBe(503);
  expect(await active("replayed-5")).toHaveLength(1);
  expect(codesOf(await FLOWS.core.send(code, "replayed-5"))).toEqual(["code_used"]);
  expect(await active("replayed-5")).toEqual([]);
});

const block = async (account: string, method: "PUT" | "DELETE") =>
  await call(method, `/v1/accounts/${account}/block`, {
    ...(method === "PUT" && { body: { scopes: ["accounts"] } }),
  });

test("a token that D1 stored unconfirmed, and then denied for a block, is not alive when the block is lifted", async () => {
  const { code } = await FLOWS.core.obtain("replayed-8");
  vi.spyOn(clock, "wait").mockImplementationOnce(async () => void (await block("replayed-8", "PUT")));
  const denied = await FLOWS.core.send(code, "replayed-8", { env: failInserts(1, "after") });
  expect(codesOf(denied)).toEqual(["consent_denied"]);
  await settled();
  await block("replayed-8", "DELETE");
  expect(await active("replayed-8")).toEqual([]);
});

test("a token that nobody got is in no list: its code was denied for a block, or given back", async () => {
  const denied = await FLOWS.core.obtain("replayed-6");
  await block("replayed-6", "PUT");
  expect(codesOf(await FLOWS.core.send(denied.code, "replayed-6"))).toEqual(["consent_denied"]);
  await block("replayed-6", "DELETE");
  expect(codesOf(await FLOWS.core.send(denied.code, "replayed-6"))).toEqual(["code_used"]);
  expect(await list("replayed-6")).toEqual([]);

  const { code } = await FLOWS.core.obtain("replayed-7");
  expect((await FLOWS.core.send(code, "replayed-7", { env: failInserts(9, "before") })).status).toBe(503);
  const { data } = (await FLOWS.core.send(code, "replayed-7")).body;
  await settled();
  expect(await list("replayed-7")).toMatchObject([{ token: data.access_token, active: true }]);
});
