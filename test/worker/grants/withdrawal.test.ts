/** Withdrawals and blocks beside exchanges that are under way, on the real D1 and the codes' objects. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  call,
  codesOf,
  createAccountConsent,
  createPaymentConsent,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";

const EIDAS = { eidas: eidasHeader("scenario-1") };
let ccg: { accounts: string; payments: string };
beforeAll(async () => {
  await loadSandbox();
  ccg = { accounts: await obtainCcgToken("accounts"), payments: await obtainCcgToken("payments") };
});

/** Codes of both flows and all kinds, each with its exchange. */
async function makeExchanges(account: string): Promise<(() => Promise<unknown>)[]> {
  const exchanges: (() => Promise<unknown>)[] = [];
  const obie = (ccg_token: string, auth_code: string) => () =>
    call("POST", "/v1/obie/tokens", { headers: { ccg_token }, body: { auth_code, redirect_uri: REDIRECT_URI } });
  for (let i = 0; i < 6; i++) {
    const code = await obtainCode(account, {}, i % 2 === 0 ? "accounts" : "payments");
    exchanges.push(() => call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, account) }));
    const consent = await createAccountConsent(ccg.accounts);
    exchanges.push(obie(ccg.accounts, await obtainObieCode(ccg.accounts, consent, { psu_account_id: account })));
    const order = await createPaymentConsent(ccg.payments);
    const fields = { psu_account_id: account, scope: "payments" };
    exchanges.push(obie(ccg.payments, await obtainObieCode(ccg.payments, order, fields)));
  }
  return exchanges;
}

afterEach(() => void vi.useRealTimers());
/** What the clocks of two isolates are apart, in milliseconds. */
const APART = [-3_600_000, -3_001, -200, 200, 3_001, 3_600_000];
/** Asks an isolate whose clock is wrong by so much. */
async function atClock<Result>(off: number, ask: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + off });
  try {
    return await ask();
  } finally {
    vi.useRealTimers();
  }
}

test.each(APART)(
  "a withdrawal by a clock that is off by %i ms ends all that was granted before, and no code since",
  async (off) => {
    const account = crypto.randomUUID();
    const [older, newer] = [await makeExchanges(account), await makeExchanges(account)];
    for (const exchange of older) expect(await exchange()).toMatchObject({ status: 201 });
    const withdraw = () => call("DELETE", `/v1/accounts/${account}/permissions`);
    expect((await atClock(off, withdraw)).status).toBe(204);
    for (const exchange of newer) expect(await exchange()).toMatchObject({ status: 403 });
    // by whatever clock: that of the withdrawal, and one beyond it
    for (const at of [0, off, -off]) expect(await atClock(at, () => activeTokens(account))).toEqual([]);
    for (const at of [0, off, -off]) expect(await atClock(at, () => statuses(account))).toEqual(["ended"]);
    for (const exchange of await makeExchanges(account)) expect(await exchange()).toMatchObject({ status: 201 });
  },
);

test.each(APART)("so does the withdrawal of one permission, by a clock that is off by %i ms", async (off) => {
  const account = crypto.randomUUID();
  const [core, again] = [await obtainCode(account), await obtainCode(account)];
  const redeem = (code: string) =>
    call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, account) });
  await redeem(core);
  const [{ id }] = (await call("GET", `/v1/accounts/${account}/permissions`)).body.data;
  const withdraw = () => call("DELETE", `/v1/accounts/${account}/permissions/${id}`);
  expect((await atClock(off, withdraw)).status).toBe(204);
  expect(codesOf(await redeem(again))).toEqual(["consent_denied"]);
  for (const at of [0, off, -off]) expect(await atClock(at, () => activeTokens(account))).toEqual([]);
  const newer = await obtainCode(account);
  // repeated, by another clock
  expect((await atClock(-off, withdraw)).status).toBe(204);
  expect((await redeem(newer)).status).toBe(201);
});

test.each(["token", "consent", "replay"] as const)(
  "what a clock takes for expired is ended nevertheless: the end of a %s an hour ahead",
  async (what) => {
    const account = crypto.randomUUID();
    const id = await createAccountConsent(ccg.accounts);
    const code = await obtainObieCode(ccg.accounts, id, { psu_account_id: account });
    const exchange = () => {
      const body = { auth_code: code, redirect_uri: REDIRECT_URI };
      return call("POST", "/v1/obie/tokens", { headers: { ccg_token: ccg.accounts }, body });
    };
    const token = (await exchange()).body.data.access_token;
    expect(await activeTokens(account)).toHaveLength(1);
    const ahead = await atClock(3_600_000, async () => {
      // the CCG token has run out by that clock
      const headers = { ccg_token: await obtainCcgToken("accounts") };
      if (what === "token") return await call("DELETE", `/v1/oauth2/tokens/${token}`);
      if (what === "consent") return await call("DELETE", `/v1/obie/account_access_consents/${id}`, { headers });
      const body = { auth_code: code, redirect_uri: REDIRECT_URI };
      return await call("POST", "/v1/obie/tokens", { headers, body });
    });
    expect(ahead.status).toBe(what === "replay" ? 403 : 204);
    expect(await activeTokens(account)).toEqual([]);
    // as it always was: what had run out before was not revoked
    const { data } = (await call("GET", `/v1/oauth2/account/${account}/tokens`)).body;
    expect(data).toMatchObject([{ active: false, revoked_at: null }]);
  },
);

const activeTokens = async (account: string): Promise<string[]> => {
  const { data } = (await call("GET", `/v1/oauth2/account/${account}/tokens`)).body;
  return data.filter(({ active }: { active: boolean }) => active).map(({ token }: { token: string }) => token);
};
const statuses = async (account: string): Promise<string[]> => {
  const { data } = (await call("GET", `/v1/accounts/${account}/permissions`)).body;
  return [...new Set<string>(data.map(({ status }: { status: string }) => status))].sort();
};

test("of exchanges that meet a withdrawal, none leaves a token alive, whichever comes first", async () => {
  for (let round = 0; round < 3; round++) {
    const account = crypto.randomUUID();
    const exchanges = await makeExchanges(account);
    const withdraw = () => call("DELETE", `/v1/accounts/${account}/permissions`);
    // at another place among the exchanges each time
    exchanges.splice(round * 6 + 3, 0, withdraw);
    await Promise.all(exchanges.map((start) => start()));
    expect(await activeTokens(account)).toEqual([]);
    expect(await statuses(account)).toEqual(["ended"]);
  }
});

test("a code that is issued while the caller of a withdrawal is looked up gives no token", async () => {
  const account = crypto.randomUUID();
  let code = "";
  const slowly = (find: D1PreparedStatement) => ({
    bind: (...values: unknown[]) => ({
      first: async () => {
        await scheduler.wait(2);
        code = await obtainCode(account);
        return find.bind(...values).first();
      },
    }),
  });
  const DB = new Proxy(env.DB, {
    get(db, name) {
      if (name === "prepare")
        return (sql: string) =>
          sql.includes("FROM credentials c") ? slowly(env.DB.prepare(sql)) : env.DB.prepare(sql);
      const value: unknown = Reflect.get(db, name, db);
      return typeof value === "function" ? value.bind(db) : value;
    },
  });
  // in a spelling that the isolate has not seen
  const headers = { Authorization: SANDBOX_FI.Authorization.replace("Basic ", "basIc ") };
  const withdrawn = await call("DELETE", `/v1/accounts/${account}/permissions`, { headers, env: { ...env, DB } });
  const exchange = await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, account) });
  expect([withdrawn.status, exchange.status, codesOf(exchange)]).toEqual([204, 403, ["consent_denied"]]);
});

test("of exchanges that meet a block, none leaves an active token; those before it are active when it is lifted", async () => {
  const account = crypto.randomUUID();
  const exchanges = await makeExchanges(account);
  const block = () => call("PUT", `/v1/accounts/${account}/block`, { body: { scopes: ["accounts", "payments"] } });
  exchanges.splice(9, 0, block);
  const answers = (await Promise.all(exchanges.map((start) => start()))) as { status: number }[];
  const given = answers.filter(({ status }) => status === 201).length;
  expect(await activeTokens(account)).toEqual([]);
  await call("DELETE", `/v1/accounts/${account}/block`);
  expect(await activeTokens(account)).toHaveLength(given);
  const rows = env.DB.prepare("SELECT count(*) AS tokens FROM tokens WHERE account_id = ?1").bind(account);
  expect(await rows.first("tokens")).toBe(given);
});

test("a database that was set back gives no ticket again: a withdrawal after it ends codes under way", async () => {
  const account = crypto.randomUUID();
  const setBack = (last: number) =>
    env.DB.batch([
      env.DB.prepare("UPDATE tickets SET last = ?1").bind(last),
      env.DB.prepare("UPDATE core_codes SET codes_after = ?1 WHERE account_id = ?2").bind(last, account),
    ]);
  await obtainCode(account);
  await setBack(Date.now() - 10_000);
  const code = await obtainCode(account);
  await setBack(5);
  expect((await call("DELETE", `/v1/accounts/${account}/permissions`)).status).toBe(204);
  const redeem = (text: string) =>
    call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(text, account) });
  expect(codesOf(await redeem(code))).toEqual(["consent_denied"]);
  expect((await redeem(await obtainCode(account))).status).toBe(201);
});
