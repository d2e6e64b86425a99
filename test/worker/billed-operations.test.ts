/**
 * What the platform bills of each operation, counted, and held against `test/cost/counted.json`, from which `npm run cost`
 * computes. Where a count has changed on purpose: `npx vitest run --project worker test/worker/billed-operations.test.ts -u`.
 */
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { toSeconds } from "../../src/clock.ts";
import { AuthorizationCode } from "../../src/grants/authorization-code.ts";
import { RateWindow } from "../../src/rate-limit/rate-window.ts";
import type { Billed, LATER } from "../cost/billed.ts";
import { OPERATIONS, type Operation, STATES } from "../simulate/rounds.ts";
import { obtainCode, obtainToken } from "./bank.ts";
import { countBilled, countObject } from "./billed-bindings.ts";
import { prepare } from "./operations.ts";
import { loadSandbox } from "./sandbox.ts";

beforeAll(loadSandbox);
afterAll(() => void vi.useRealTimers());

const deleteAll = (table: string) => (counting: Cloudflare.Env) =>
  counting.DB.prepare(`DELETE FROM ${table} WHERE id = (SELECT max(id) FROM ${table})`).run();

const later: Record<keyof typeof LATER, () => Promise<Billed>> = {
  // the second: the first of five minutes also sets the alarm
  report: async () => {
    const window = env.RATE_WINDOW.getByName("counted");
    const second = toSeconds(Date.now());
    await window.add({ [second]: 1 }, second);
    return countObject(RateWindow, () => window.add({ [second]: 1 }, second));
  },
  codeAlarm: async () => {
    const [hex = ""] = (await obtainCode("counted-alarm")).split(".");
    const stub = env.AUTHORIZATION_CODE.get(env.AUTHORIZATION_CODE.idFromString(hex));
    return countObject(AuthorizationCode, () => runDurableObjectAlarm(stub));
  },
  tokenEnd: async () => {
    await obtainToken("counted-end");
    return countBilled(env, deleteAll("tokens"));
  },
  permissionEnd: async () => {
    await obtainToken("counted-permission");
    return countBilled(env, deleteAll("core_permissions"));
  },
};

test("each operation, and what comes later, is billed as npm run cost says", async () => {
  const requests: Record<string, Record<string, Billed>> = {};
  for (const operation of Object.keys(OPERATIONS) as Operation[])
    for (const state of STATES.filter((one) => one !== "withoutReadAhead")) {
      const billed = await countBilled(env, await prepare(operation, state));
      requests[operation] = { ...requests[operation], [state]: billed };
    }
  const rest: Record<string, Billed> = {};
  for (const [name, count] of Object.entries(later)) rest[name] = await count();
  const counted = JSON.stringify({ requests, later: rest }, null, 2);
  await expect(`${counted}\n`).toMatchFileSnapshot("../cost/counted.json");
});
