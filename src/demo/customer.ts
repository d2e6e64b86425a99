/** The demo's third part: what the bank shows its customer, and what the customer and the bank can end. No PSP takes part. */
import { REDIRECT_URI, type Story } from "./core-flow.ts";
import { obtainCcgToken, obtainToken } from "./open-banking-flow.ts";
import { textAt } from "./steps.ts";

export async function runCustomer(story: Story): Promise<void> {
  const { steps } = story;
  console.log("\n== The customer at the bank: permissions, a block, a withdrawal ==");
  const account = `/v1/accounts/${story.accountId}`;
  const headers = { ccg_token: await obtainCcgToken(story, "accounts", 8) };
  const consent = await steps.step(
    "A consent without an end",
    {
      method: "POST",
      path: "/v1/obie/account_access_consents",
      headers,
      body: { data: { permissions: ["ReadAccountsDetail", "ReadBalances", "ReadTransactionsBasic"] } },
    },
    { status: 201, body: { data: { consent_id: /./ } } },
  );
  const consentId = textAt(consent, "data", "consent_id");
  const accessToken = await obtainToken(story, headers, consentId, "accounts");
  const token = { method: "GET", path: `/v1/oauth2/tokens/${accessToken}` } as const;

  await steps.step(
    "The permissions that the bank's page shows to the customer",
    { method: "GET", path: `${account}/permissions?status=active` },
    {
      status: 200,
      body: {
        data: {
          0: {
            id: consentId,
            psp: { legal_name: /./, standing: "Authorised" },
            data: { 0: { group: "Your account details" }, 1: { group: "Your account transactions" } },
          },
        },
      },
    },
  );
  await steps.step(
    "The bank blocks account information for this account",
    { method: "PUT", path: `${account}/block`, body: { scopes: ["accounts"] } },
    { status: 200, body: { data: { scopes: ["accounts"] } } },
  );
  await steps.step("The token is inactive meanwhile", token, { status: 200, body: { data: { active: false } } });
  await steps.step(
    "A code is refused by the redirect",
    {
      method: "POST",
      path: "/v1/obie/authorization_codes",
      headers,
      body: {
        consent_id: consentId,
        psu_account_id: story.accountId,
        redirect_uri: REDIRECT_URI,
        scope: "accounts",
      },
    },
    {
      status: 403,
      body: {
        data: { redirect_uri: { parameters: { error: "access_denied" } } },
        errors: { 0: { code: "account_blocked" } },
      },
    },
  );
  await steps.step("The bank lifts the block", { method: "DELETE", path: `${account}/block` }, { status: 204 });
  await steps.step("The token is active again", token, { status: 200, body: { data: { active: true } } });
  await steps.step(
    "The customer withdraws the permission",
    { method: "DELETE", path: `${account}/permissions/${consentId}?by=customer` },
    { status: 204 },
  );
  await steps.step("Its token is revoked", token, { status: 200, body: { data: { active: false } } });
  await steps.step(
    "The customer's page shows who ended which permission",
    { method: "GET", path: `${account}/permissions?status=ended` },
    { status: 200, body: { data: { 0: { status: "ended", ended_by: "customer", ended_at: /./ } } } },
  );
  await steps.step(
    "The bank withdraws all permissions of the account",
    { method: "DELETE", path: `${account}/permissions` },
    { status: 204 },
  );
  await steps.step(
    "None is active",
    { method: "GET", path: `${account}/permissions?status=active` },
    { status: 200, body: { data: { length: 0 } } },
  );
}
