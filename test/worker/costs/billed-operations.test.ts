/**
 * What the platform bills of each operation, counted, and held against `test/worker/costs/counted.json`, from which `npm run paper`
 * computes. Where a count has changed on purpose: `npx vitest run --project worker test/worker/costs/billed-operations.test.ts -u`.
 */
import {
  createExecutionContext,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { tagAccounts } from "../../../src/evidence/ledger/account-tag.ts";
import { AuthorizationCode } from "../../../src/grants/authorization-code.ts";
import { timePrefix } from "../../../src/grants/record-order.ts";
import { RateWindow } from "../../../src/http/rate-limit/rate-window.ts";
import { toSeconds } from "../../../src/platform/clock.ts";
import { hashText } from "../../../src/platform/node-crypto.ts";
import { obtainCode, obtainToken } from "../bank.ts";
import { MINUTE, makeEntry, NOON } from "../evidence/ledger/made-entries.ts";
import { forgetKept, idOf } from "../evidence/ledger/records.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import type { Billed, LATER } from "./billed.ts";
import { countBilled, countEvidence, countLedger, countObject, countTag } from "./billed-bindings.ts";
import { PSP_FORGOTTEN_MS, prepare } from "./operations.ts";
import { OPERATIONS, type Operation, STATES } from "./rounds.ts";

beforeAll(loadSandbox);
afterAll(() => void vi.useRealTimers());

const deleteAll = (table: string) => (counting: Cloudflare.Env) =>
  counting.DB.prepare(`DELETE FROM ${table} WHERE id = (SELECT max(id) FROM ${table})`).run();

/** A check, and all that goes on behind its answer. */
const check = (name: string, version: string) => async (bindings: Cloudflare.Env) => {
  const ctx = createExecutionContext();
  const headers = { ...SANDBOX_FI, version, eidas: eidasHeader(name) };
  await app.fetch(new Request("http://service.test/v1/psp/eidas?jurisdiction=xx", { headers }), bindings, ctx);
  await waitOnExecutionContext(ctx);
};

const SEGMENT = { batches: 16, records: 4_096 };

/** A record's digests and ids do not compress. These are the same in each run, and so is the segment's size. */
function digestedEntry(time: number, name: string) {
  const [id, ...digests] = [0, 1, 2, 3, 4].map((i) => hashText("sha256", `${name} ${i}`));
  const [request_id = "", certificate = "", basis = "", answer = ""] = digests;
  const psp = "PSDXX-TEST-000001";
  const decisions = [{ payments: true, accounts: true }];
  const checks = [{ certificate, psp, jurisdictions: ["XX"], verdicts: [], decisions, basis }];
  const own = {
    id: `${timePrefix(time)}${id?.slice(0, 22)}`,
    request_id: request_id.slice(0, 36),
    psp,
    checks,
    answer,
  };
  return makeEntry(time, own);
}

/** In the life of one ledger: an append to an open segment, the head of its minute, and 4,096 records that are moved. */
async function countRecords(): Promise<Record<"append" | "head" | "segment", Billed>> {
  const fiId = await idOf();
  let [append, head, segment]: (Billed | undefined)[] = [];
  await runInDurableObject(env.LEDGER.getByName("counted"), async (_, { storage }) => {
    await countLedger(storage, env, async (ledger, count) => {
      await ledger.append(fiId, [digestedEntry(NOON, "first")], false, NOON);
      await count();
      // the alarm is set, as it is for all of a minute's records but the first
      await ledger.append(fiId, [digestedEntry(NOON + 1, "second")], false, NOON + 1);
      append = await count();
      await ledger.keep(NOON + MINUTE);
      head = await count();
      for (let i = 0; i < SEGMENT.batches; i++) {
        const now = NOON + MINUTE + i;
        const entries = Array.from({ length: SEGMENT.records / SEGMENT.batches }, (_, j) =>
          digestedEntry(now, `${i} ${j}`),
        );
        await ledger.append(fiId, entries, false, now);
      }
      await count();
      await ledger.keep(NOON + 2 * MINUTE);
      segment = await count();
    });
    await storage.deleteAlarm();
  });
  if (!append || !head || !segment) throw new Error("nothing was counted");
  return { append, head, segment };
}

const later: Record<Exclude<keyof typeof LATER, "append" | "head" | "segment">, () => Promise<Billed>> = {
  // the second: the first of five minutes also sets the alarm
  report: async () => {
    const window = env.RATE_WINDOW.getByName("counted");
    const second = toSeconds(Date.now());
    await window.add({ [second]: 1 });
    return countObject(RateWindow, () => window.add({ [second]: 1 }));
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
  accountTag: () => countTag(env, async (db) => await tagAccounts(db, await idOf(), ["counted-tag"])),
  certificate: async () => {
    await check("scenario-1", "latest")(env);
    return countEvidence(env, check("scenario-9", "latest"));
  },
  answer: () => countEvidence(env, check("scenario-9", "1")),
  coldEvidence: async () => {
    vi.setSystemTime(Date.now() + PSP_FORGOTTEN_MS);
    await forgetKept(Date.now());
    return countEvidence(env, check("scenario-9", "latest"));
  },
};

test("each operation, and what comes later, is billed as npm run paper says", async () => {
  const requests: Record<string, Record<string, Billed>> = {};
  for (const operation of Object.keys(OPERATIONS) as Operation[])
    for (const state of STATES.filter((one) => one !== "withoutReadAhead")) {
      const billed = await countBilled(env, await prepare(operation, state));
      requests[operation] = { ...requests[operation], [state]: billed };
    }
  const rest: Record<string, Billed> = {};
  for (const [name, count] of Object.entries(later)) rest[name] = await count();
  Object.assign(rest, await countRecords());
  const counted = JSON.stringify({ requests, later: rest }, null, 2);
  await expect(`${counted}\n`).toMatchFileSnapshot("./counted.json");
});
