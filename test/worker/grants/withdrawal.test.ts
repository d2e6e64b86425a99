/** Withdrawals by clocks that are wrong, on the real D1 and the codes' objects. Beside exchanges under way the simulation tries them (test/sim/). */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  call,
  codesOf,
  createAccountConsent,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";

const EIDAS = { eidas: eidasHeader("scenario-1") };
let ccg_token: string;
beforeAll(async () => {
  await loadSandbox();
  ccg_token = await obtainCcgToken();
});

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
  "the withdrawal of one permission ends it and its codes, by a clock that is off by %i ms, too",
  async (off) => {
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
  },
);

test.each(["token", "consent", "replay"] as const)(
  "what a clock takes for expired is ended nevertheless: the end of a %s an hour ahead",
  async (what) => {
    const account = crypto.randomUUID();
    const id = await createAccountConsent(ccg_token);
    const code = await obtainObieCode(ccg_token, id, { psu_account_id: account });
    const exchange = () => {
      const body = { auth_code: code, redirect_uri: REDIRECT_URI };
      return call("POST", "/v1/obie/tokens", { headers: { ccg_token }, body });
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
