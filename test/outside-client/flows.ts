/**
 * What a stranger writes who has the published document and nothing else of the service: a PSP check, both flows, and a
 * refusal. `openapi.ts` is generated from the document; the program is copied beside it, compiled and run
 * (test/spec/interface/outside-client.test.ts). Arguments: the service, two certificates in base64. Prints what it learnt.
 */
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi.ts";

const [baseUrl = "", eidas = "", accountsOnly = ""] = process.argv.slice(2);
const { GET, POST, DELETE, PUT } = createClient<paths>({
  baseUrl,
  headers: { Authorization: `Basic ${btoa("sandbox-fi:sandbox-secret")}` },
});
const bank = { fi_reference_id: "PSDXX-TEST-FI0001", version: "1" } as const;
const account_id = `outside-client-${crypto.randomUUID()}`;
const redirect_uri = "https://psp.example/callback";

/** What was answered, or the first code of the refusal. */
function must<T>({ data, error }: { data?: T; error?: { errors?: readonly { code: string }[] } }): T {
  if (data === undefined) throw new Error(error?.errors?.[0]?.code ?? "no answer");
  return data;
}

async function checkPsp() {
  const header = { ...bank, eidas: accountsOnly };
  const query = { jurisdiction: "XX" };
  const first = must(await GET("/v1/psp/eidas", { params: { header, query } }));
  const latest = must(await GET("/v1/psp/eidas", { params: { header: { ...header, version: "latest" }, query } }));
  return {
    valid: Object.values(first.eIDAS.validity).every(Boolean),
    payments: "decision" in latest && latest.decision.payments.allowed,
    accounts: "decision" in latest && latest.decision.accounts.allowed,
  };
}

type CodeRequest = components["schemas"]["CoreCodeRequest"];

const codeRequest = (scope: "accounts" | "payments"): CodeRequest => ({
  account_id,
  client_request_query_parameters: { response_type: "code", redirect_uri, scope, state: "s-1" },
});

async function coreFlow() {
  const params = { header: { ...bank, eidas } };
  const authorization = must(await POST("/v1/oauth2/authorization_codes", { params, body: codeRequest("accounts") }));
  const { code, state } = authorization.data.redirect_uri.parameters;
  const exchange = () =>
    POST("/v1/oauth2/tokens", {
      params,
      body: { account_id, client_request_query_parameters: { grant_type: "authorization_code", code, redirect_uri } },
    });
  const { access_token: token } = must(await exchange()).data;
  const seen = must(await POST("/v1/introspect", { params, body: { token } }));
  const path = { token };
  const record = must(await GET("/v1/oauth2/tokens/{token}", { params: { header: bank, path } }));
  const list = must(
    await GET("/v1/oauth2/account/{account_id}/tokens", { params: { header: bank, path: { account_id } } }),
  );
  const deleted = await DELETE("/v1/oauth2/tokens/{token}", { params: { header: bank, path } });
  const replay = await exchange();
  return {
    state,
    ofAccount: seen.active && seen.account_id === account_id,
    active: record.data.active,
    tokens: list.data.length,
    deleted: deleted.response.status,
    replay: replay.error?.errors?.[0]?.code,
  };
}

async function openBankingFlow() {
  const identify = async (scope: "accounts" | "payments") =>
    must(await POST("/v1/obie/ccg_tokens", { params: { header: bank }, body: { eIDAS: eidas, scope } })).access_token;
  const authorize = async (ccg_token: string, consent_id: string, scope: "accounts" | "payments") => {
    const params = { header: { ...bank, ccg_token } };
    const body = { consent_id, psu_account_id: account_id, redirect_uri, scope };
    const { data } = must(await POST("/v1/obie/authorization_codes", { params, body }));
    const auth_code = data.redirect_uri.parameters.code;
    return must(await POST("/v1/obie/tokens", { params, body: { auth_code, redirect_uri } })).data.access_token;
  };

  const ccg_token = await identify("accounts");
  const header = { ...bank, ccg_token };
  const created = must(
    await POST("/v1/obie/account_access_consents", {
      params: { header },
      body: { data: { permissions: ["ReadAccountsBasic", "ReadBalances"] } },
    }),
  );
  const { consent_id } = created.data;
  const token = await authorize(ccg_token, consent_id, "accounts");
  const information = must(await GET("/v1/obie/tokens/{token}", { params: { header, path: { token } } }));
  await DELETE("/v1/obie/account_access_consents/{consent_id}", { params: { header, path: { consent_id } } });
  const gone = await GET("/v1/obie/account_access_consents/{consent_id}", { params: { header, path: { consent_id } } });

  const payments = await identify("payments");
  const initiation = {
    instruction_identification: "ANSM021",
    end_to_end_identification: "FRESCO.21302.GFX.37",
    instructed_amount: { amount: "165.88", currency: "EUR" },
    creditor_account: { scheme_name: "IBAN", identification: "XX0700000000000001", name: "Fresco Ltd" },
  };
  const params = { header: { ...bank, ccg_token: payments } };
  const order = must(await POST("/v1/obie/payment_order_consents", { params, body: { data: { initiation } } }));
  await authorize(payments, order.data.consent_id, "payments");
  const consumed = must(
    await GET("/v1/obie/payment_order_consents/{consent_id}", {
      params: { ...params, path: { consent_id: order.data.consent_id } },
    }),
  );
  return {
    created: created.data.status,
    active: information.data.active,
    gone: gone.response.status,
    consumed: consumed.data.status,
  };
}

/** The redirect of a refusal has another form than that of a code. */
async function refusal() {
  const params = { header: { ...bank, eidas: accountsOnly } };
  const { error, response } = await POST("/v1/oauth2/authorization_codes", { params, body: codeRequest("payments") });
  const redirect = error && "data" in error ? error.data?.redirect_uri : undefined;
  return { status: response.status, base: redirect?.base_url, error: redirect?.parameters.error };
}

/** The bank's own endpoints. */
async function block() {
  const params = { header: bank, path: { account_id } };
  const { data } = must(await PUT("/v1/accounts/{account_id}/block", { params, body: { scopes: ["accounts"] } }));
  const lifted = await DELETE("/v1/accounts/{account_id}/block", { params });
  return { scopes: data.scopes, lifted: lifted.response.status };
}

console.log(
  JSON.stringify({
    check: await checkPsp(),
    core: await coreFlow(),
    openBanking: await openBankingFlow(),
    refusal: await refusal(),
    block: await block(),
  }),
);
