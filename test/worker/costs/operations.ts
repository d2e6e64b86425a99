/** The operations that are counted, each from the states in which an isolate may meet it. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { app } from "../../../src/app.ts";
import { ReadAheadGate } from "../../../src/http/middleware/read-ahead-gate.ts";
import {
  type Answer,
  call,
  codeRequest,
  createAccountConsent,
  OPEN_ENDED,
  obieCodeRequest,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader, SANDBOX_FI } from "../sandbox.ts";
import type { Operation, State } from "./rounds.ts";

/** One request, which can be sent with further headers and over other bindings. */
type Ask = (step: { readonly headers: Record<string, string>; readonly env: Cloudflare.Env }) => Promise<Answer>;

const EIDAS = { eidas: eidasHeader("scenario-1") };
let accounts = 0;
/**
 * Each operation has its own, because the first token of an account writes more than its second. The last in the order of
 * all: a search that ends at another account's row has read that, too.
 */
const newAccount = (): string => `z-counted-${String(++accounts).padStart(6, "0")}`;

const send =
  (method: string, path: string, own: Record<string, string> = {}, body?: object): Ask =>
  ({ headers, env }) =>
    call(method, path, { headers: { ...own, ...headers }, env, ...(body && { body }) });

const check = (jurisdiction: string) => async () => {
  const ask = send("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, EIDAS);
  await ask({ headers: {}, env });
  return ask;
};
const ccg = async () => ({ ccg_token: await obtainCcgToken() });

/** Each prepares a request so that the isolate knows its caller and its PSP. */
const PREPARED: Record<Operation, () => Promise<Ask>> = {
  check: check("xx"),
  checkAbroad: check("xy"),
  code: async () => {
    await obtainCode(newAccount());
    return send("POST", "/v1/oauth2/authorization_codes", EIDAS, codeRequest({}, newAccount()));
  },
  redemption: async () => {
    const account = newAccount();
    return send("POST", "/v1/oauth2/tokens", EIDAS, tokenRequest(await obtainCode(account), account));
  },
  ccgToken: async () => {
    await obtainCcgToken();
    return send("POST", "/v1/obie/ccg_tokens", {}, { eIDAS: EIDAS.eidas, scope: "accounts" });
  },
  consent: async () => send("POST", "/v1/obie/account_access_consents", await ccg(), { data: OPEN_ENDED }),
  consentInformation: async () => {
    const headers = await ccg();
    return send("GET", `/v1/obie/account_access_consents/${await createAccountConsent(headers.ccg_token)}`, headers);
  },
  obieCode: async () => {
    const headers = await ccg();
    const body = obieCodeRequest(await createAccountConsent(headers.ccg_token), { psu_account_id: newAccount() });
    return send("POST", "/v1/obie/authorization_codes", headers, body);
  },
  obieRedemption: async () => {
    const headers = await ccg();
    const auth_code = await obtainObieCode(headers.ccg_token, await createAccountConsent(headers.ccg_token));
    return send("POST", "/v1/obie/tokens", headers, { auth_code, redirect_uri: REDIRECT_URI });
  },
  tokenInformation: async () => {
    const headers = await ccg();
    const token = await obtainObieToken(headers.ccg_token, await createAccountConsent(headers.ccg_token));
    return send("GET", `/v1/obie/tokens/${token}`, headers);
  },
  tokenList: async () => {
    const account = newAccount();
    await obtainToken(account);
    return send("GET", `/v1/oauth2/account/${account}/tokens`);
  },
  introspection: async () => send("POST", "/v1/introspect", EIDAS, { token: await obtainToken(newAccount()) }),
};

/**
 * What an isolate notes of a PSP behind the first grant of an hour (events/observations.ts) is none of an operation's: it has to
 * be written before the clock is moved, else it would be begun again.
 */
async function noteFirstGrant(): Promise<void> {
  const ctx = createExecutionContext();
  const headers = { ...SANDBOX_FI, version: "latest", "Content-Type": "application/json", ...EIDAS };
  const body = JSON.stringify(codeRequest({}, newAccount()));
  const request = new Request("http://service.test/v1/oauth2/authorization_codes", { method: "POST", headers, body });
  const { status } = await app.fetch(request, env, ctx);
  if (status !== 201) throw new Error(`no code was issued: ${status}`);
  await waitOnExecutionContext(ctx);
}
let firstGrant: Promise<void> | undefined;

/** Longer than an isolate remembers of a PSP, shorter than a code lives. */
export const PSP_FORGOTTEN_MS = 31_000;
/** The same credentials in another spelling, new to the isolate's memory each time. */
let spelling = 0;

/** Prepares an operation and brings the isolate into the state. Only what is returned asks, over the given bindings. */
export async function prepare(
  operation: Operation,
  state: State,
): Promise<(bindings: Cloudflare.Env) => Promise<Answer>> {
  // from here on time stands still but for the steps below
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  firstGrant ??= noteFirstGrant();
  await firstGrant;
  const ask = await PREPARED[operation]();
  if (state === "warm") return (bindings) => ask({ headers: {}, env: bindings });
  vi.setSystemTime(Date.now() + PSP_FORGOTTEN_MS);
  const Authorization = SANDBOX_FI.Authorization.replace("Basic ", `Basic${" ".repeat(++spelling + 1)}`);
  const headers = { Authorization };
  // reads nothing of a PSP
  if (state === "unread") await call("GET", "/v1/accounts/nobody/block", { headers });
  return async (bindings) => {
    const lookUp = vi.spyOn(ReadAheadGate.prototype, "lookUp");
    if (state === "withoutReadAhead")
      lookUp.mockImplementation((_client, _now, _readAhead, authenticate) => authenticate());
    try {
      return await ask({ headers, env: bindings });
    } finally {
      lookUp.mockRestore();
    }
  };
}
