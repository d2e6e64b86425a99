/** The exchange of a code in each flow, with stores that fail. */
import { env } from "cloudflare:workers";
import {
  type Answer,
  type Call,
  call,
  createAccountConsent,
  createPaymentConsent,
  endBackground,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader } from "../sandbox.ts";
import { endLateWrites, type FailureTime, failingDatabase } from "./failing-database.ts";

/** A code, and the PSP's server that sends it, in each flow. */
interface Flow {
  obtain(account: string): Promise<{ code: string; consent?: string }>;
  send(code: string, account: string, change?: Call): Promise<Answer>;
}
const obie = (scope: "accounts" | "payments"): Flow => ({
  async obtain(psu_account_id) {
    const ccg_token = await obtainCcgToken(scope);
    const consent = await (scope === "accounts" ? createAccountConsent : createPaymentConsent)(ccg_token);
    return { code: await obtainObieCode(ccg_token, consent, { scope, psu_account_id }), consent };
  },
  send: async (auth_code, _, change) =>
    call("POST", "/v1/obie/tokens", {
      headers: { ccg_token: await obtainCcgToken(scope) },
      body: { auth_code, redirect_uri: REDIRECT_URI },
      ...change,
    }),
});
const core: Flow = {
  obtain: async (account) => ({ code: await obtainCode(account) }),
  send: (code, account, change) =>
    call("POST", "/v1/oauth2/tokens", {
      headers: { eidas: eidasHeader("scenario-1") },
      body: tokenRequest(code, account),
      ...change,
    }),
};
export const FLOWS = { core, "account access": obie("accounts"), "payment order": obie("payments") };

/** Fails the first `times` writes of a new token. */
export function failInserts(times: number, when: FailureTime) {
  let left = times;
  const isInsert = (sql: string) => sql.includes("RETURNING expires_at");
  return { ...env, DB: failingDatabase(env.DB, (sql) => isInsert(sql) && left-- > 0, when) };
}
/** No token is stored, nor revoked. */
export const brokenDatabase = {
  ...env,
  DB: failingDatabase(env.DB, (sql) => /INTO tokens|UPDATE/.test(sql), "before"),
};
const broken = async () => {
  throw new Error("internal error");
};
/** Codes' objects that do what they are asked, but for these methods. */
export const objectsWithout = (...methods: ("redeem" | "giveBack")[]) => ({
  idFromString: (hex: string) => env.AUTHORIZATION_CODE.idFromString(hex),
  get: (id: DurableObjectId) =>
    new Proxy(env.AUTHORIZATION_CODE.get(id), {
      get: (stub, name) => ((methods as PropertyKey[]).includes(name) ? broken : Reflect.get(stub, name, stub)),
    }),
});

export const list = async (account: string): Promise<{ token: string; active: boolean }[]> =>
  (await call("GET", `/v1/oauth2/account/${account}/tokens`)).body.data;
export const active = async (account: string) =>
  (await list(account)).filter((token) => token.active).map(({ token }) => token);
/** Writes that arrive late, and what goes on in the background, are over. */
export async function settled(): Promise<void> {
  await endBackground();
  await endLateWrites();
}
