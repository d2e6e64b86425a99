/** Operations that write: the state before each, and what holds after it whichever store failed. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import {
  type Answer,
  codeRequest,
  INITIATION,
  OPEN_ENDED,
  obieCodeRequest,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader } from "../sandbox.ts";
import type { FaultyStores } from "./faulty-stores.ts";
import { ask } from "./isolate.ts";

type Ask = (stores?: FaultyStores) => Promise<Answer>;
interface Prepared {
  readonly ask: Ask;
  /** `answer`: of the request whose store failed. Does what its caller does next. */
  readonly after: (answer: Answer) => Promise<void>;
}

const EIDAS = { eidas: eidasHeader("scenario-1") };
const WATCH = "/v1/psp/watches/PSDXX-TEST-000009";
const send =
  (method: string, path: string, headers: Record<string, string> = {}, body?: object): Ask =>
  (stores) =>
    ask(method, path, { headers, stores, ...(body && { body }) });

/** What was given out, and names of accounts: no log line has any of them. */
export const secrets = new Set<string>();
export function secret(text: string): string {
  secrets.add(text);
  return text;
}
async function done(asked: Ask): Promise<Answer> {
  const answer = await asked();
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer;
}
const codeIn = ({ body }: Answer) => secret(body.data.redirect_uri.parameters.code);
const tokenIn = ({ body }: Answer) => secret(body.data.access_token);

const coreCode = (account: string) => send("POST", "/v1/oauth2/authorization_codes", EIDAS, codeRequest({}, account));
const coreExchange = (code: string, account: string) =>
  send("POST", "/v1/oauth2/tokens", EIDAS, tokenRequest(code, account));
const exchangeOf = async (account: string) => coreExchange(codeIn(await done(coreCode(account))), account);

type Scope = "accounts" | "payments";
async function consentOf(account: string, scope: Scope) {
  const eIDAS = EIDAS.eidas;
  const ccg_token = secret((await done(send("POST", "/v1/obie/ccg_tokens", {}, { eIDAS, scope }))).body.access_token);
  const kind = scope === "accounts" ? "account_access_consents" : "payment_order_consents";
  const data = scope === "accounts" ? OPEN_ENDED : { initiation: INITIATION };
  const create = send("POST", `/v1/obie/${kind}`, { ccg_token }, { data });
  const consent: string = (await done(create)).body.data.consent_id;
  const request = obieCodeRequest(consent, { psu_account_id: account, scope });
  const code = send("POST", "/v1/obie/authorization_codes", { ccg_token }, request);
  const exchange = (auth_code: string) =>
    send("POST", "/v1/obie/tokens", { ccg_token }, { auth_code, redirect_uri: REDIRECT_URI });
  return { ccg_token, kind, create, consent, code, exchange };
}

/** The live tokens of an account. */
export async function alive(account: string): Promise<string[]> {
  const { data } = (await done(send("GET", `/v1/oauth2/account/${account}/tokens`))).body;
  return data.flatMap(({ token, active }: { token: string; active: boolean }) => (active ? [token] : []));
}

/** The only live token is the one that was given; what is refused is not done, and what may be done is refused for good. */
const exchange = (asked: Ask, account: string): Prepared => ({
  ask: asked,
  after: async (answer) => {
    const given = answer.status === 201 ? answer : await asked();
    const promised = /still usable|no code or token was/.test(answer.body.errors?.[0].title ?? "");
    if (promised) expect(given.status).toBe(201);
    if (given.status === 201) expect(await alive(account)).toEqual([tokenIn(given)]);
    expect((await asked()).body.errors[0].code).toBe("code_used");
    expect(await alive(account)).toEqual([]);
  },
});

/** What was ended is over once an answer says so, at last after the same request again; so are codes that are under way. */
const ending = (asked: Ask, account: string, late?: Ask): Prepared => ({
  ask: asked,
  after: async (answer) => {
    if (answer.status < 300) expect(await alive(account)).toEqual([]);
    await done(asked);
    if (late) expect((await late()).status).toBe(403);
    expect(await alive(account)).toEqual([]);
  },
});

async function withToken(account: string): Promise<string> {
  return tokenIn(await done(await exchangeOf(account)));
}

const ofScope = (scope: Scope): Record<string, (account: string) => Promise<Prepared>> => ({
  [`${scope}: consent`]: async (account) => {
    const { create, kind } = await consentOf(account, scope);
    const count = async () => Number(await env.DB.prepare(`SELECT count(*) AS rows FROM ${kind}`).first("rows"));
    const before = await count();
    return {
      ask: create,
      after: async ({ status, body }) => {
        const isMade = (await count()) > before;
        if (status === 201) expect(isMade).toBe(true);
        else if (isMade)
          expect(body.errors[0].title).toMatch(/whether a consent was created is not known|may have been done/);
        await done(create);
      },
    };
  },
  [`${scope}: code`]: async (account) => {
    const { code, exchange } = await consentOf(account, scope);
    return {
      ask: code,
      after: async (answer) => {
        const given = answer.status === 201 ? answer : await done(code);
        const token = tokenIn(await done(exchange(codeIn(given))));
        expect(await alive(account)).toContain(token);
      },
    };
  },
  [`${scope}: exchange`]: async (account) => {
    const flow = await consentOf(account, scope);
    return exchange(flow.exchange(codeIn(await done(flow.code))), account);
  },
});

export const OPERATIONS: Readonly<Record<string, (account: string) => Promise<Prepared>>> = {
  code: async (account) => ({
    ask: coreCode(account),
    after: async (answer) => {
      const given = answer.status === 201 ? answer : await done(coreCode(account));
      const token = tokenIn(await done(coreExchange(codeIn(given), account)));
      expect(await alive(account)).toContain(token);
    },
  }),
  exchange: async (account) => exchange(await exchangeOf(account), account),
  ...ofScope("accounts"),
  ...ofScope("payments"),
  "consent's end": async (account) => {
    const { ccg_token, consent, code, exchange } = await consentOf(account, "accounts");
    tokenIn(await done(exchange(codeIn(await done(code)))));
    const late = exchange(codeIn(await done(code)));
    return ending(send("DELETE", `/v1/obie/account_access_consents/${consent}`, { ccg_token }), account, late);
  },
  "token's end": async (account) => ending(send("DELETE", `/v1/oauth2/tokens/${await withToken(account)}`), account),
  "one permission's end": async (account) => {
    await withToken(account);
    const late = await exchangeOf(account);
    const [{ id }] = (await done(send("GET", `/v1/accounts/${account}/permissions`))).body.data;
    return ending(send("DELETE", `/v1/accounts/${account}/permissions/${id}`), account, late);
  },
  "all permissions' end": async (account) => {
    await withToken(account);
    const late = await exchangeOf(account);
    return ending(send("DELETE", `/v1/accounts/${account}/permissions`), account, late);
  },
  block: async (account) => {
    await withToken(account);
    const late = await exchangeOf(account);
    return ending(send("PUT", `/v1/accounts/${account}/block`, {}, { scopes: ["accounts"] }), account, late);
  },
  watch: async () => {
    await done(send("DELETE", WATCH));
    const watch = send("PUT", WATCH, {}, {});
    return {
      ask: watch,
      after: async ({ status }) => {
        if (status !== 200) await done(watch);
        expect(JSON.stringify((await done(send("GET", "/v1/psp/watches"))).body)).toContain("000009");
      },
    };
  },
};
