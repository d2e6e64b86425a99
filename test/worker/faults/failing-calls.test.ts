/** Each call of a store that an operation makes fails in turn; and the operation twice at once, in each order of its calls. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkChain } from "../../../src/evidence/ledger/chain.ts";
import { ledgerOfBank, recordOf } from "../evidence/ledger/records.ts";
import { loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import { FAULTS, type Fault, FaultyStores, type Gate, INSIDE } from "./faulty-stores.ts";
import { forget, logged, startIsolate } from "./isolate.ts";
import { alive, OPERATIONS, secret, secrets } from "./operations.ts";

beforeAll(async () => {
  await loadSandbox();
  startIsolate();
});
afterAll(() => void vi.restoreAllMocks());

const SAID = new RegExp(`${INSIDE}|no answer`);
let accounts = 0;
const newAccount = () => secret(`account-${++accounts}-of-nobody`);
const ALL = Object.entries(OPERATIONS);
/** A call that an operation before has made fails in the same way here. */
const tried = new Set<string>();

async function attempt(prepare: (typeof ALL)[number][1], fault: Fault | null, at: number): Promise<string[]> {
  const account = newAccount();
  const { ask, after } = await prepare(account);
  forget();
  logged.length = 0;
  const stores = new FaultyStores(env, fault, at);
  const answer = await ask(stores);
  const what = `${fault} ${stores.calls[at - 1]}: ${answer.status}`;
  expect([200, 201, 204, 503], what).toContain(answer.status);
  expect(JSON.stringify(answer.body ?? ""), what).not.toContain(INSIDE);
  const lines = logged.filter((line) => line.includes('"route"')).map((line) => JSON.parse(line));
  expect(lines, what).toMatchObject([{ status: answer.status }]);
  if (answer.status === 503) expect(logged.join(), what).toMatch(SAID);
  if (lines[0].fi !== null && !/watch|block/.test(lines[0].route))
    expect((await recordOf(answer)).status, what).toBe(answer.status);
  await after(answer).catch((error: Error) => {
    throw new Error(`${what}: ${error.message}`);
  });
  if (fault === "latest") {
    const before = await alive(account);
    await stores.arrive();
    expect(await alive(account), what).toEqual(before);
  }
  for (const each of [...secrets, SANDBOX_FI.Authorization]) expect(logged.join("\n"), what).not.toContain(each);
  return stores.calls;
}

test.each(ALL)("%s: whatever store fails, the answer is true, and the same again heals it", async (_, prepare) => {
  const calls = await attempt(prepare, null, 0);
  for (const [i, call] of calls.entries()) {
    if (tried.has(call) && !call.startsWith("AUTHORIZATION_CODE")) continue;
    tried.add(call);
    for (const fault of FAULTS) await attempt(prepare, fault, i + 1);
  }
});

test("the ledger has no gap after all of it", async () => {
  const { texts } = await (await ledgerOfBank()).range(1, Number.MAX_SAFE_INTEGER);
  expect([checkChain(texts).ok, texts.length > 100]).toEqual([true, true]);
});

/** Whose calls are let through first; afterwards anybody's. */
function gates(order: string): (who: string) => Gate {
  let place = 0;
  let waiting: { readonly who: string; readonly go: () => void }[] = [];
  const next = () => {
    const due = waiting.filter(({ who }) => place >= order.length || who === order[place]);
    const [first] = due;
    if (!first) return;
    place++;
    waiting = waiting.filter((each) => each !== first);
    first.go();
    if (place >= order.length) next();
  };
  return (who) => async (carryOut) => {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    waiting.push({ who, go });
    next();
    // the other one has no more calls
    const timer = setTimeout(() => {
      place = order.length;
      next();
    }, 50);
    await promise;
    clearTimeout(timer);
    try {
      return await carryOut();
    } finally {
      next();
    }
  };
}

test.each(
  ALL.filter(([name]) => name.endsWith("exchange")).flatMap(([name, prepare]) =>
    ["AABB", "ABAB", "ABBA"].map((order) => [name, order, prepare] as const),
  ),
)("%s twice at once, %s: one token at most, and none alive after a replay", async (_, order, prepare) => {
  const account = newAccount();
  const { ask } = await prepare(account);
  forget();
  const gate = gates(order);
  const answers = await Promise.all(["A", "B"].map((who) => ask(new FaultyStores(env, null, 0, gate(who)))));
  expect(answers.map(({ status }) => status).sort()).not.toEqual([201, 201]);
  expect(answers.some(({ body }) => body.errors?.[0].code === "code_used")).toBe(true);
  expect(await alive(account)).toEqual([]);
});
