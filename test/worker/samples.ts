/** A whole request to each endpoint, for tests that change one thing of it. Needs the sandbox loaded. */
import { env } from "cloudflare:workers";
import { signHead } from "../../src/evidence/ledger/head.ts";
import { readSigningKeys } from "../../src/evidence/signatures/signing-keys.ts";
import {
  type Answer,
  call,
  codeRequest,
  INITIATION,
  OPEN_ENDED,
  obieCodeRequest,
  obtainCcgToken,
  REDIRECT_URI,
  tokenRequest,
} from "./bank.ts";
import { eidasHeader, SANDBOX_FI } from "./sandbox.ts";

const ccgTokens = new Map<string, Promise<string>>();
/** One for each scope and institution, by its headers: those of a test file live for an hour. */
export function ccgToken(scope: "accounts" | "payments", headers: Change["headers"] = {}): Promise<string> {
  const key = `${scope} ${headers["fi_reference_id"]}`;
  const token = ccgTokens.get(key) ?? obtainCcgToken(scope, "scenario-1", headers);
  ccgTokens.set(key, token);
  return token;
}

/** A whole request to each endpoint that only fails for what the test changes. */
export interface Sample {
  credential: "eidas" | "ccg_token" | null;
  scope?: "accounts" | "payments";
  body?: object;
  query?: string;
  headers?: Readonly<Record<string, string>>;
  /** The value of the path's parameter, where not every text is one. */
  segment?: string;
}
const WATCHED = "PSDXX-TEST-000001";

/** Of the bank's ledger, beyond its end. */
function signedHead(): string {
  const { signer } = readSigningKeys(env);
  if (!signer) throw new Error("no signing key");
  const hash = "0".repeat(64);
  const end = { seq: 1_000_000, hash, first: 1_000_000, root: hash, time: new Date().toISOString() };
  return signHead({ fi: SANDBOX_FI.fi_reference_id, ...end }, signer);
}

export const SAMPLES: Record<string, Sample> = {
  "POST /v1/oauth2/authorization_codes": { credential: "eidas", body: codeRequest() },
  "POST /v1/oauth2/tokens": { credential: "eidas", body: tokenRequest("a-code", "an-account") },
  "GET /v1/oauth2/tokens/{token}": { credential: null },
  "DELETE /v1/oauth2/tokens/{token}": { credential: null },
  "GET /v1/oauth2/account/{account_id}/tokens": { credential: null },
  "POST /v1/obie/ccg_tokens": { credential: null, body: { eIDAS: eidasHeader("scenario-1"), scope: "accounts" } },
  "POST /v1/obie/authorization_codes": { credential: "ccg_token", body: obieCodeRequest("a-consent") },
  "POST /v1/obie/tokens": { credential: "ccg_token", body: { auth_code: "a-code", redirect_uri: REDIRECT_URI } },
  "GET /v1/obie/tokens/{token}": { credential: "ccg_token" },
  "POST /v1/obie/account_access_consents": { credential: "ccg_token", body: { data: OPEN_ENDED } },
  "GET /v1/obie/account_access_consents/{consent_id}": { credential: "ccg_token" },
  "DELETE /v1/obie/account_access_consents/{consent_id}": { credential: "ccg_token" },
  "POST /v1/obie/payment_order_consents": {
    credential: "ccg_token",
    scope: "payments",
    body: { data: { initiation: { ...INITIATION, debtor_account: INITIATION.creditor_account } } },
  },
  "GET /v1/obie/payment_order_consents": { credential: "ccg_token", scope: "payments" },
  "GET /v1/obie/payment_order_consents/{consent_id}": { credential: "ccg_token", scope: "payments" },
  "GET /v1/accounts/{account_id}/permissions": { credential: null },
  "DELETE /v1/accounts/{account_id}/permissions": { credential: null },
  "DELETE /v1/accounts/{account_id}/permissions/{permission_id}": { credential: null },
  "GET /v1/accounts/{account_id}/block": { credential: null },
  "PUT /v1/accounts/{account_id}/block": { credential: null, body: { scopes: ["accounts"] } },
  "DELETE /v1/accounts/{account_id}/block": { credential: null },
  "GET /v1/audit/head": { credential: null },
  "GET /v1/audit/head/comparison": { credential: null, query: `?head=${signedHead()}` },
  "GET /v1/psp/watches": { credential: null },
  "PUT /v1/psp/watches/{authorisation_number}": { credential: null, body: {}, segment: WATCHED },
  "DELETE /v1/psp/watches/{authorisation_number}": { credential: null, segment: WATCHED },
  "GET /v1/events": { credential: null },
  "GET /v1/audit/records": { credential: null },
  "GET /v1/audit/records/{evidence_id}": { credential: null },
  "GET /v1/audit/records/{evidence_id}/documents/{sha256}": { credential: null },
  "POST /v1/introspect": { credential: null, body: { token: "a-token" } },
  "GET /v1/access": {
    credential: "eidas",
    query: "?scope=accounts",
    headers: { access_token: "Bearer a-token" },
  },
  "POST /v1/psp/checks": {
    credential: null,
    body: { checks: [{ eIDAS: eidasHeader("scenario-1"), jurisdictions: ["XX"] }] },
  },
  "POST /v1/psp/signatures": {
    credential: null,
    body: { method: "GET", target: "/v1/accounts", headers: {}, jurisdiction: "XX" },
  },
  "GET /v1/psp/eidas": { credential: "eidas", query: "?jurisdiction=xx" },
};
export const sampleOf = (endpoint: string): Sample => SAMPLES[endpoint] ?? { credential: null };

export interface Change {
  headers?: Record<string, string | undefined>;
  body?: unknown;
  env?: Cloudflare.Env;
  /** The value of the path's parameter, or of each. */
  segment?: string | readonly string[];
  query?: string;
}

/** The sample request with something changed. */
export async function send(endpoint: string, change: Change = {}): Promise<Answer> {
  const [method = "", path = ""] = endpoint.split(" ");
  const { credential, scope = "accounts", body, query = "", segment = "something", headers } = sampleOf(endpoint);
  const segments = [change.segment ?? segment].flat();
  let parameter = 0;
  const value = () => segments[parameter++ % segments.length] ?? "";
  const target = path.replaceAll(/\{\w+\}/g, value) + (change.query ?? query);
  const credentials = {
    ...headers,
    ...(credential === "eidas" && { eidas: eidasHeader("scenario-1") }),
    ...(credential === "ccg_token" && { ccg_token: change.headers?.["ccg_token"] ?? (await ccgToken(scope)) }),
  };
  return call(method, target, {
    ...change,
    headers: { ...credentials, ...change.headers },
    ...("body" in change ? { body: change.body } : { body }),
  });
}
