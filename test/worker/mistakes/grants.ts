/** Mistakes with authorization codes, tokens and consents. */
import { vi } from "vitest";
import {
  call,
  codeRequest,
  createAccountConsent,
  OPEN_ENDED,
  obieCodeRequest,
  obtainCode,
  obtainObieCode,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { ccgToken, send } from "../samples.ts";
import { eidasHeader } from "../sandbox.ts";
import type { Mistake } from "./mistake.ts";

const exchange = (code: string, accountId: string, query: object = {}) =>
  call("POST", "/v1/oauth2/tokens", {
    headers: { eidas: eidasHeader("scenario-1") },
    body: tokenRequest(code, accountId, { ...query }),
  });

const BRIEF_MS = 30_000;
/** Lives for BRIEF_MS: shorter than a code. */
async function createBriefConsent(): Promise<string> {
  const headers = { ccg_token: await ccgToken("accounts") };
  const expiration_date_time = new Date(Date.now() + BRIEF_MS).toISOString();
  const body = { data: { ...OPEN_ENDED, expiration_date_time } };
  return (await call("POST", "/v1/obie/account_access_consents", { headers, body })).body.data.consent_id;
}
async function createExpiredConsent(): Promise<string> {
  const id = await createBriefConsent();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + BRIEF_MS });
  return id;
}
const onConsent = async (method: string, id: string) =>
  call(method, `/v1/obie/account_access_consents/${id}`, { headers: { ccg_token: await ccgToken("accounts") } });
const askCode = async (consent: string) =>
  call("POST", "/v1/obie/authorization_codes", {
    headers: { ccg_token: await ccgToken("accounts") },
    body: obieCodeRequest(consent),
  });

export const GRANT_MISTAKES: readonly Mistake[] = [
  {
    what: "a code that was never issued",
    send: () => exchange("s3cret", "mistake-1"),
    status: 403,
    errors: [["code_unknown", /unknown/]],
  },
  {
    what: "a replayed code",
    send: async () => {
      const code = await obtainCode("mistake-2");
      await exchange(code, "mistake-2");
      return exchange(code, "mistake-2");
    },
    status: 403,
    errors: [["code_used", /used before; the token issued for it, if any, is now revoked/]],
  },
  {
    what: "a code of a minute ago",
    send: async () => {
      const code = await obtainCode("mistake-3");
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
      return exchange(code, "mistake-3");
    },
    status: 403,
    errors: [["code_expired", /expired/]],
  },
  {
    what: "a code with another redirect_uri",
    send: async () => exchange(await obtainCode("mistake-4"), "mistake-4", { redirect_uri: `${REDIRECT_URI}/` }),
    status: 403,
    errors: [["redirect_uri_mismatch", /another redirect_uri/]],
  },
  {
    what: "a code with another account_id",
    send: async () => exchange(await obtainCode("mistake-5"), "mistake-6"),
    status: 403,
    errors: [["account_id_mismatch", /another account_id/]],
  },
  {
    what: "an accounts code with a payments CCG token",
    send: async () => {
      const accounts = await ccgToken("accounts");
      const auth_code = await obtainObieCode(accounts, await createAccountConsent(accounts));
      return call("POST", "/v1/obie/tokens", {
        headers: { ccg_token: await ccgToken("payments") },
        body: { auth_code, redirect_uri: REDIRECT_URI },
      });
    },
    status: 403,
    errors: [
      [
        "payment_service_invalid",
        /^the code is for the scope accounts: the CCG token is for the scope payments, not accounts$/,
      ],
    ],
  },
  {
    what: "a consent authorised for another account",
    send: async () => {
      const headers = { ccg_token: await ccgToken("accounts") };
      const consent = await createAccountConsent(headers.ccg_token);
      const ask = (psu_account_id: string) =>
        call("POST", "/v1/obie/authorization_codes", { headers, body: obieCodeRequest(consent, { psu_account_id }) });
      await ask("mistake-7");
      return ask("mistake-8");
    },
    status: 403,
    errors: [
      [
        "consent_of_another_account",
        /^the consent was first authorised for another account: each account needs a consent of its own$/,
      ],
    ],
  },
  // to the PSP that owns it
  {
    what: "25: an expired consent, for a code",
    send: async () => askCode(await createExpiredConsent()),
    status: 403,
    errors: [["consent_expired", /^the consent has expired: create a new one, and let the PSU authorise it$/]],
  },
  {
    what: "25: an expired consent, read",
    send: async () => onConsent("GET", await createExpiredConsent()),
    status: 404,
    errors: [["consent_expired", /^The consent has expired: create a new one, and let the PSU authorise it$/]],
  },
  {
    what: "25: an expired consent, deleted",
    send: async () => onConsent("DELETE", await createExpiredConsent()),
    status: 404,
    errors: [["consent_expired", /^The consent has expired, and its tokens with it: nothing is left to delete$/]],
  },
  {
    what: "25: a code whose consent has expired since",
    send: async () => {
      const headers = { ccg_token: await ccgToken("accounts") };
      const auth_code = await obtainObieCode(headers.ccg_token, await createBriefConsent());
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + BRIEF_MS });
      return call("POST", "/v1/obie/tokens", { headers, body: { auth_code, redirect_uri: REDIRECT_URI } });
    },
    status: 403,
    errors: [["consent_expired", /^The consent has expired: create a new one, and let the PSU authorise it$/]],
  },
  {
    what: "a consent that does not exist",
    send: () => askCode("nothing"),
    status: 403,
    errors: [["consent_denied", /no such consent/]],
  },
  {
    what: "a consent that does not exist, read",
    send: () => send("GET /v1/obie/account_access_consents/{consent_id}"),
    status: 404,
    errors: [["consent_not_found", /consent/]],
  },
  {
    what: "a code for an account that its bank has blocked",
    send: async () => {
      await call("PUT", "/v1/accounts/mistake-9/block", { body: { scopes: ["accounts"] } });
      return call("POST", "/v1/oauth2/authorization_codes", {
        headers: { eidas: eidasHeader("scenario-1") },
        body: codeRequest({}, "mistake-9"),
      });
    },
    status: 403,
    errors: [["account_blocked", /^the bank does not allow this access to the account at present$/]],
  },
  {
    what: "a permission that does not exist",
    send: () => send("DELETE /v1/accounts/{account_id}/permissions/{permission_id}"),
    status: 404,
    errors: [["permission_not_found", /permission/]],
  },
  {
    what: "a token that does not exist",
    send: () => send("GET /v1/oauth2/tokens/{token}", { segment: "s3cret" }),
    status: 404,
    errors: [["token_not_found", /token/]],
  },
];
