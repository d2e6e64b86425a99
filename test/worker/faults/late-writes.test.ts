/**
 * A write that is carried out long after its caller was told 503, and has asked for something else since: it finds what it was
 * meant for, or nothing. Blocks and withdrawals of all are tried so by the simulation (test/sim/past-faults.ts).
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  codeRequest,
  createAccountConsent,
  createPaymentConsent,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";
import { FaultyStores } from "./faulty-stores.ts";
import { ask, forget, startIsolate } from "./isolate.ts";
import { alive } from "./operations.ts";

beforeAll(async () => {
  await loadSandbox();
  startIsolate();
});
afterAll(() => void vi.restoreAllMocks());

const permissionsOf = (account: string) => `/v1/accounts/${account}/permissions`;
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

const redeem = (account: string, code: string) =>
  ask("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, account) });
async function makeToken(account: string): Promise<string> {
  const code = await ask("POST", "/v1/oauth2/authorization_codes", { headers: EIDAS, body: codeRequest({}, account) });
  return (await redeem(account, code.body.data.redirect_uri.parameters.code)).body.data.access_token;
}
/** Codes of both kinds of consents and of none, each with its exchange. */
const agree = async (account: string): Promise<Step[]> => {
  const core = await obtainCode(account);
  const [accounts, payments] = [await obtainCcgToken("accounts"), await obtainCcgToken("payments")];
  const fields = { psu_account_id: account };
  const access = await obtainObieCode(accounts, await createAccountConsent(accounts), fields);
  const order = await obtainObieCode(payments, await createPaymentConsent(payments), { ...fields, scope: "payments" });
  const obie = (ccg_token: string, auth_code: string) => () =>
    ask("POST", "/v1/obie/tokens", { headers: { ccg_token }, body: { auth_code, redirect_uri: REDIRECT_URI } });
  return [() => redeem(account, core), obie(accounts, access), obie(payments, order)];
};
const agreeAnew =
  (account: string): Step =>
  async () => {
    await take(await agree(account));
    return await ask("GET", permissionsOf(account));
  };
const again =
  (account: string): Step =>
  async () => {
    await makeToken(account);
    return await ask("GET", permissionsOf(account));
  };

const STORIES: Readonly<Record<string, (account: string) => Promise<Story>>> = {
  "the end of a watch": async () => ({
    before: [step("PUT", WATCH, {})],
    late: step("DELETE", WATCH),
    since: [step("PUT", WATCH, {})],
    state: step("GET", "/v1/psp/watches"),
  }),
  "a watch that is ended since": async () => ({
    before: [],
    late: step("PUT", WATCH, {}),
    since: [step("PUT", WATCH, {}), step("DELETE", WATCH)],
    state: step("GET", "/v1/psp/watches"),
  }),
  "a token's end": async (account) => {
    const end = step("DELETE", `/v1/oauth2/tokens/${await makeToken(account)}`);
    const state = step("GET", permissionsOf(account));
    return { before: [], late: end, since: [end, again(account)], state };
  },
  "a permission's end": async (account) => {
    await makeToken(account);
    const list = step("GET", permissionsOf(account));
    const [{ id }] = (await list()).body.data;
    const end = step("DELETE", `/v1/accounts/${account}/permissions/${id}`);
    return { before: [], late: end, since: [end, again(account)], state: list };
  },
  "the end of a permission that the customer has agreed to anew": async (account) => {
    await makeToken(account);
    const list = step("GET", permissionsOf(account));
    const [{ id }] = (await list()).body.data;
    return {
      before: [],
      late: step("DELETE", `/v1/accounts/${account}/permissions/${id}`),
      since: [again(account)],
      state: list,
    };
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
  const old = await alive(account);
  forget();
  const stores = new FaultyStores(env, "latest", at);
  expect((await late(stores)).status).toBe(503);
  await take(since);
  forget();
  // of a permission that goes on, older tokens may end
  const look = async () => [(await state()).body, (await alive(account)).filter((token) => !old.includes(token))];
  const then = await look();
  await stores.arrive();
  forget();
  expect(await look()).toEqual(then);
});

test("a withdrawal of all that is carried out late ends what was there, and what its codes have given since", async () => {
  const account = crypto.randomUUID();
  await take([agreeAnew(account)]);
  const codes = await agree(account);
  const stores = new FaultyStores(env, "latest", 2, (carryOut) => carryOut());
  expect((await step("DELETE", permissionsOf(account))(stores)).status).toBe(503);
  await take(codes);
  expect(await alive(account)).toHaveLength(6);
  await stores.arrive();
  forget();
  expect(await alive(account)).toEqual([]);
  const { data } = (await ask("GET", permissionsOf(account))).body;
  expect(data.map(({ status }: { status: string }) => status)).toEqual(Array(data.length).fill("ended"));
});

test("a ticket that is taken late, for a withdrawal whose caller was told 503, ends nothing", async () => {
  const account = crypto.randomUUID();
  await take([agreeAnew(account)]);
  const stores = new FaultyStores(env, "latest", 1, (carryOut) => carryOut());
  expect((await step("DELETE", permissionsOf(account))(stores)).status).toBe(503);
  const codes = await agree(account);
  await stores.arrive();
  await take(codes);
  forget();
  expect(await alive(account)).toHaveLength(6);
});
