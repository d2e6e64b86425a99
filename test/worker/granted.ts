/** A request to each endpoint that is granted: what it asks for is made before. Needs the sandbox loaded. */
import {
  type Answer,
  call,
  codeRequest,
  createAccountConsent,
  createPaymentConsent,
  obieCodeRequest,
  obtainCode,
  obtainObieCode,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "./bank.ts";
import { recordOf } from "./evidence/ledger/records.ts";
import { type Change, ccgToken, sampleOf, send } from "./samples.ts";
import { eidasHeader, SANDBOX_FI } from "./sandbox.ts";

/** Who asks, by its headers, and of which account. */
interface Asker {
  readonly account: string;
  readonly headers: Record<string, string>;
}

/** The CCG token and the consent of a new request. */
async function consentOf(headers: Asker["headers"], scope: "accounts" | "payments" = "accounts") {
  const token = await ccgToken(scope, headers);
  const id = scope === "accounts" ? createAccountConsent(token, {}, headers) : createPaymentConsent(token, headers);
  return { token, id: await id };
}

async function obtainOwnObieToken({ account, headers }: Asker): Promise<string> {
  const { token, id } = await consentOf(headers);
  return await obtainObieToken(token, id, { psu_account_id: account }, headers);
}

async function checkPsp({ headers }: Asker) {
  const shown = { ...headers, eidas: eidasHeader("scenario-9") };
  const answer = await call("GET", "/v1/psp/eidas?jurisdiction=xy", { headers: shown });
  return await recordOf(answer, headers["fi_reference_id"]);
}

const ofAccount = async ({ account }: Asker): Promise<Change> => ({ segment: account });
/** Another: of a blocked one nothing is granted. */
const ofBlocked = async ({ account }: Asker): Promise<Change> => ({ segment: `${account}-blocked` });

/** What a sample lacks to be granted. */
const LACKS: Readonly<Record<string, (asker: Asker) => Promise<Change>>> = {
  "POST /v1/oauth2/authorization_codes": async ({ account }) => ({ body: codeRequest({}, account) }),
  "POST /v1/oauth2/tokens": async ({ account, headers }) => ({
    body: tokenRequest(await obtainCode(account, headers), account),
  }),
  "GET /v1/oauth2/tokens/{token}": async ({ account, headers }) => ({ segment: await obtainToken(account, headers) }),
  "DELETE /v1/oauth2/tokens/{token}": async ({ account, headers }) => ({
    segment: await obtainToken(account, headers),
  }),
  "GET /v1/oauth2/account/{account_id}/tokens": ofAccount,
  "POST /v1/obie/authorization_codes": async ({ account, headers }) => ({
    body: obieCodeRequest((await consentOf(headers)).id, { psu_account_id: account }),
  }),
  "POST /v1/obie/tokens": async ({ account, headers }) => {
    const { token, id } = await consentOf(headers);
    const auth_code = await obtainObieCode(token, id, { psu_account_id: account }, headers);
    return { body: { auth_code, redirect_uri: REDIRECT_URI } };
  },
  "GET /v1/obie/tokens/{token}": async (asker) => ({ segment: await obtainOwnObieToken(asker) }),
  "GET /v1/obie/account_access_consents/{consent_id}": async ({ headers }) => ({
    segment: (await consentOf(headers)).id,
  }),
  "DELETE /v1/obie/account_access_consents/{consent_id}": async ({ headers }) => ({
    segment: (await consentOf(headers)).id,
  }),
  "GET /v1/obie/payment_order_consents": async ({ headers }) => {
    await consentOf(headers, "payments");
    return {};
  },
  "GET /v1/obie/payment_order_consents/{consent_id}": async ({ headers }) => ({
    segment: (await consentOf(headers, "payments")).id,
  }),
  "GET /v1/accounts/{account_id}/permissions": async (asker) => {
    await obtainOwnObieToken(asker);
    return ofAccount(asker);
  },
  "DELETE /v1/accounts/{account_id}/permissions": ofAccount,
  "DELETE /v1/accounts/{account_id}/permissions/{permission_id}": async ({ account, headers }) => {
    const { token, id } = await consentOf(headers);
    await obtainObieToken(token, id, { psu_account_id: account }, headers);
    return { segment: [account, id] };
  },
  "GET /v1/accounts/{account_id}/block": ofBlocked,
  "PUT /v1/accounts/{account_id}/block": ofBlocked,
  "DELETE /v1/accounts/{account_id}/block": ofBlocked,
  "GET /v1/audit/head/comparison": async (asker) => {
    await checkPsp(asker);
    const { data } = (await call("GET", "/v1/audit/head", { headers: asker.headers })).body;
    return { query: `?head=${data.jws}` };
  },
  "GET /v1/psp/watches": async ({ headers }) => {
    await call("PUT", "/v1/psp/watches/PSDXX-TEST-000001", { headers, body: {} });
    return {};
  },
  "GET /v1/audit/records": async (asker) => {
    await checkPsp(asker);
    return { query: "?psp_id=PSDXX-TEST-000009&limit=1" };
  },
  "GET /v1/audit/records/{evidence_id}": async (asker) => ({ segment: (await checkPsp(asker)).id }),
  "GET /v1/audit/records/{evidence_id}/documents/{sha256}": async (asker) => {
    const { id, checks } = await checkPsp(asker);
    return { segment: [id, checks[0]?.basis ?? ""] };
  },
  "GET /v1/access": async ({ account, headers }) => ({
    headers: { access_token: await obtainToken(account, headers) },
  }),
  "POST /v1/introspect": async (asker) => ({ body: { token: await obtainOwnObieToken(asker) } }),
};

/** Makes what a request to the endpoint asks for. Only what is returned asks, with what is changed in it. */
export async function prepareGranted(
  endpoint: string,
  { account = "granted", headers = SANDBOX_FI }: Partial<Asker> = {},
): Promise<(change?: Change) => Promise<Answer>> {
  const asker = { account, headers: { ...headers } };
  const lacking = (await LACKS[endpoint]?.(asker)) ?? {};
  const { credential, scope = "accounts" } = sampleOf(endpoint);
  const own = {
    ...asker.headers,
    ...(credential === "ccg_token" && { ccg_token: await ccgToken(scope, asker.headers) }),
    ...lacking.headers,
  };
  return (change = {}) => send(endpoint, { ...lacking, ...change, headers: { ...own, ...change.headers } });
}
