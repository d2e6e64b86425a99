/**
 * A write that is carried out long after its caller was told 503, and has asked for something else since: it finds what it was
 * meant for, or nothing.
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { codeRequest, tokenRequest } from "../bank.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";
import { FaultyStores } from "./faulty-stores.ts";
import { ask, forget, startIsolate } from "./isolate.ts";
import { alive } from "./operations.ts";

beforeAll(async () => {
  await loadSandbox();
  startIsolate();
});
afterAll(() => void vi.restoreAllMocks());

type Step = (stores?: FaultyStores) => ReturnType<typeof ask>;
interface Story {
  readonly before: readonly Step[];
  /** Held up: it comes after `since`. */
  readonly late: Step;
  readonly since: readonly Step[];
  readonly state: Step;
}

const step =
  (method: string, path: string, body?: object): Step =>
  (stores) =>
    ask(method, path, { stores, ...(body && { body }) });
const WATCH = "/v1/psp/watches/PSDXX-TEST-000009";
const EIDAS = { eidas: eidasHeader("scenario-1") };

async function makeToken(account: string): Promise<string> {
  const code = await ask("POST", "/v1/oauth2/authorization_codes", { headers: EIDAS, body: codeRequest({}, account) });
  const body = tokenRequest(code.body.data.redirect_uri.parameters.code, account);
  return (await ask("POST", "/v1/oauth2/tokens", { headers: EIDAS, body })).body.data.access_token;
}
const again =
  (account: string): Step =>
  async () => {
    await makeToken(account);
    return await ask("GET", `/v1/accounts/${account}/permissions`);
  };

const blockOf = (account: string) => `/v1/accounts/${account}/block`;
const put = (account: string, ...scopes: string[]) => step("PUT", blockOf(account), { scopes });

const STORIES: Readonly<Record<string, (account: string) => Promise<Story>>> = {
  "the end of a block that is asked for again": async (account) => ({
    before: [put(account, "payments", "accounts")],
    late: step("DELETE", blockOf(account)),
    since: [put(account, "payments")],
    state: step("GET", blockOf(account)),
  }),
  "the end of a block that was lifted since, and set again": async (account) => ({
    before: [put(account, "accounts")],
    late: step("DELETE", blockOf(account)),
    since: [step("DELETE", blockOf(account)), put(account, "accounts")],
    state: step("GET", blockOf(account)),
  }),
  "a smaller block": async (account) => ({
    before: [put(account, "payments", "accounts")],
    late: put(account, "accounts"),
    since: [put(account, "payments", "accounts")],
    state: step("GET", blockOf(account)),
  }),
  "the end of a watch": async () => ({
    before: [step("PUT", WATCH, {})],
    late: step("DELETE", WATCH),
    since: [step("PUT", WATCH, {})],
    state: step("GET", "/v1/psp/watches"),
  }),
  "a token's end": async (account) => {
    const end = step("DELETE", `/v1/oauth2/tokens/${await makeToken(account)}`);
    const state = step("GET", `/v1/accounts/${account}/permissions`);
    return { before: [], late: end, since: [end, again(account)], state };
  },
  "a permission's end": async (account) => {
    await makeToken(account);
    const list = step("GET", `/v1/accounts/${account}/permissions`);
    const [{ id }] = (await list()).body.data;
    const end = step("DELETE", `/v1/accounts/${account}/permissions/${id}`);
    return { before: [], late: end, since: [end, again(account)], state: list };
  },
};

const take = async (steps: readonly Step[]) => {
  for (const each of steps) expect((await each()).status).toBeLessThan(300);
};

test.each(Object.entries(STORIES))("%s, carried out late, undoes nothing newer", async (_, tell) => {
  const first = await tell(crypto.randomUUID());
  await take(first.before);
  forget();
  const rehearsed = new FaultyStores(env);
  expect((await first.late(rehearsed)).status).toBeLessThan(300);
  const at = rehearsed.calls.findLastIndex((call) => /^DB (?:run|batch) (?!.*account_keys)/.test(call)) + 1;

  const account = crypto.randomUUID();
  const { before, late, since, state } = await tell(account);
  await take(before);
  forget();
  const stores = new FaultyStores(env, "latest", at);
  expect((await late(stores)).status).toBe(503);
  await take(since);
  forget();
  const look = async () => [(await state()).body, await alive(account)];
  const then = await look();
  await stores.arrive();
  forget();
  expect(await look()).toEqual(then);
});
