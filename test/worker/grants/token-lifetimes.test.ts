/** Lifetimes by scope and by institution, in the statement that stores the token; and no token outlives its consent. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { NewToken } from "../../../src/grants/new-token.ts";
import { makeRecordId } from "../../../src/grants/record-order.ts";
import { setTokenLifetimes, type TokenLifetimes } from "../../../src/grants/token-lifetimes.ts";
import { findToken } from "../../../src/grants/tokens.ts";
import type { Scope } from "../../../src/registers/entitlement.ts";
import { storeToken } from "../../store-token.ts";
import {
  call,
  createAccountConsent,
  createPaymentConsent,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";
import { insertTwoFis } from "./financial-institutions.ts";

const NOW = Date.parse("2090-01-01T00:00:00.750Z");
const FLOOR = Date.parse("2090-01-01T00:00:00Z");
const DEFAULT_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const [FI, OTHER_FI] = await insertTwoFis();
const OWNER = { fiId: FI, pspId: "PSDXX-TEST-000001" };

const referenceOf = async (fiId: number): Promise<string> =>
  (await env.DB.prepare("SELECT fi_reference_id FROM financial_institutions WHERE id = ?1")
    .bind(fiId)
    .first<string>("fi_reference_id")) ?? "";
const set = async (lifetimes: Partial<TokenLifetimes>) => setTokenLifetimes(env.DB, await referenceOf(FI), lifetimes);

const makeToken = (change: Partial<NewToken> = {}): NewToken => ({
  ...OWNER,
  id: makeRecordId(NOW),
  kid: "20900101T000000Z",
  accountId: crypto.randomUUID(),
  scope: "accounts",
  consentId: null,
  issuedAt: NOW,
  agreedAfter: 0,
  ...change,
});
/** The lifetime of a stored token from the second in which it is issued; null if it is not stored. */
async function lifetimeOf(token: NewToken): Promise<number | null> {
  const expiresAt = await storeToken(env.DB, token, DEFAULT_SECONDS);
  const stored = await findToken(env.DB, token.fiId, token.id);
  expect(stored?.expiresAt ?? null).toBe(expiresAt);
  return typeof expiresAt === "number" ? (expiresAt - FLOOR) / 1000 : null;
}

async function insertConsent(scope: Scope, endsAt: number | null): Promise<string> {
  const id = makeRecordId(NOW);
  const [table, column, value] =
    scope === "accounts"
      ? ["account_access_consents", "permissions", "[]"]
      : ["payment_order_consents", "initiation", "{}"];
  await env.DB.prepare(
    `INSERT INTO ${table} (id, fi_id, psp_id, status, created_at, status_updated_at, account_id, ${column}, ends_at)
     VALUES (?1, ?2, ?3, 'Authorised', 0, 0, 'account', ?4, ?5)`,
  )
    .bind(id, FI, OWNER.pspId, value, endsAt)
    .run();
  return id;
}

describe("an institution's lifetimes", () => {
  test("each scope has its own, at each of the three ways to a token, and others keep the deployment's", async () => {
    await set({ accounts: 90 * DAY_SECONDS, payments: 300 });
    const underConsent = async (scope: Scope) =>
      lifetimeOf(makeToken({ scope, accountId: "account", consentId: await insertConsent(scope, null) }));
    expect({
      accounts: [await lifetimeOf(makeToken()), await underConsent("accounts")],
      payments: [await lifetimeOf(makeToken({ scope: "payments" })), await underConsent("payments")],
      other: [await lifetimeOf(makeToken({ fiId: OTHER_FI }))],
    }).toEqual({
      accounts: [90 * DAY_SECONDS, 90 * DAY_SECONDS],
      payments: [300, 300],
      other: [DEFAULT_SECONDS],
    });
  });

  test("a scope that is left out keeps what it has; null is the deployment's again", async () => {
    await set({ accounts: 7_200, payments: 300 });
    expect(await set({ payments: null })).toEqual({ ok: true });
    const both = async () => [await lifetimeOf(makeToken()), await lifetimeOf(makeToken({ scope: "payments" }))];
    expect(await both()).toEqual([7_200, DEFAULT_SECONDS]);
    await set({ accounts: null });
    expect(await both()).toEqual([DEFAULT_SECONDS, DEFAULT_SECONDS]);
    expect(await set({})).toEqual({ ok: true });
  });

  test.each([59, 31_622_401, 0, -1, 90.5, Number.NaN])(
    "%s seconds are no lifetime, and change nothing",
    async (seconds) => {
      await set({ accounts: 7_200, payments: null });
      const refused = { ok: false, reason: "not a lifetime", scope: "payments" };
      expect(await set({ accounts: 60, payments: seconds })).toEqual(refused);
      expect(await lifetimeOf(makeToken())).toBe(7_200);
      // the database refuses it as well
      const update = env.DB.prepare("UPDATE financial_institutions SET payments_token_seconds = ?1 WHERE id = ?2");
      if (!Number.isNaN(seconds)) await expect(update.bind(seconds, FI).run()).rejects.toThrow(/constraint|datatype/i);
    },
  );

  test.each([60, 31_622_400])("%s seconds are one", async (accounts) => {
    expect(await set({ accounts })).toEqual({ ok: true });
    expect(await lifetimeOf(makeToken())).toBe(accounts);
  });

  test("an institution that does not exist has none", async () => {
    const set = await setTokenLifetimes(env.DB, "PSDXX-NOBODY", { accounts: 60 });
    expect(set).toEqual({ ok: false, reason: "unknown institution" });
  });
});

describe("no token outlives its consent", () => {
  const MONTH = 30 * DAY_SECONDS;
  test.each([
    ["far behind the token's end", MONTH * 1_000_000, MONTH],
    ["one second behind it", (MONTH + 1) * 1_000, MONTH],
    ["at its end", MONTH * 1_000, MONTH],
    ["within its last second", MONTH * 1_000 - 1, MONTH - 1],
    ["one second before it", (MONTH - 1) * 1_000, MONTH - 1],
    ["in the next second", 1_999, 1],
    ["in the second in which the token is issued", 999, null],
    ["before it", -1, null],
  ])("a consent that ends %s", async (_, after, seconds) => {
    await set({ accounts: MONTH });
    const consentId = await insertConsent("accounts", FLOOR + after);
    expect(await lifetimeOf(makeToken({ accountId: "account", consentId }))).toBe(seconds);
  });
});

describe("by the endpoints", () => {
  let ccg: { accounts: string; payments: string };
  beforeAll(async () => {
    await loadSandbox();
    ccg = { accounts: await obtainCcgToken("accounts"), payments: await obtainCcgToken("payments") };
  });
  const byScope = { ...env, ACCESS_TOKEN_SECONDS_PAYMENTS: 300, ACCESS_TOKEN_SECONDS_ACCOUNTS: 7_776_000 };

  async function expiresIn(scope: Scope, bindings: Cloudflare.Env): Promise<{ core: number; obie: number }> {
    const code = await obtainCode("account", {}, scope);
    const headers = { eidas: eidasHeader("scenario-1") };
    const core = await call("POST", "/v1/oauth2/tokens", {
      headers,
      body: tokenRequest(code, "account"),
      env: bindings,
    });
    const create = scope === "accounts" ? createAccountConsent : createPaymentConsent;
    const auth_code = await obtainObieCode(ccg[scope], await create(ccg[scope]), { scope });
    const obie = await call("POST", "/v1/obie/tokens", {
      headers: { ccg_token: ccg[scope] },
      body: { auth_code, redirect_uri: REDIRECT_URI },
      env: bindings,
    });
    return { core: core.body.data.expires_in, obie: obie.body.data.expires_in };
  }

  test("expires_in is that of the scope, and of both scopes where none is set", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    expect(await expiresIn("payments", env)).toEqual({ core: 3_600, obie: 3_600 });
    expect(await expiresIn("accounts", env)).toEqual({ core: 3_600, obie: 3_600 });
    expect(await expiresIn("payments", byScope)).toEqual({ core: 300, obie: 300 });
    expect(await expiresIn("accounts", byScope)).toEqual({ core: 7_776_000, obie: 7_776_000 });
    vi.useRealTimers();
  });

  test("expires_in is that of the institution, which comes before the scope's", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await setTokenLifetimes(env.DB, "PSDXX-TEST-FI0001", { accounts: 7_200 });
    expect(await expiresIn("accounts", byScope)).toEqual({ core: 7_200, obie: 7_200 });
    expect(await expiresIn("payments", byScope)).toEqual({ core: 300, obie: 300 });
    await setTokenLifetimes(env.DB, "PSDXX-TEST-FI0001", { accounts: null });
    vi.useRealTimers();
  });

  test("expires_in of a token that its consent cuts short", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / 1000) * 1000 });
    const expiration_date_time = new Date(Date.now() + 90_000).toISOString();
    const consent = await createAccountConsent(ccg.accounts, { expiration_date_time });
    const body = { auth_code: await obtainObieCode(ccg.accounts, consent), redirect_uri: REDIRECT_URI };
    const answer = await call("POST", "/v1/obie/tokens", { headers: { ccg_token: ccg.accounts }, body, env: byScope });
    expect(answer.body.data.expires_in).toBe(90);
    vi.useRealTimers();
  });
});
