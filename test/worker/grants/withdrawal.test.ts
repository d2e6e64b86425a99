/** Withdrawals and blocks beside exchanges that are under way, on the real D1 and the codes' objects. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
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
