/** The demo's third part: what the bank shows its customer, and what the customer and the bank can end. No PSP takes part. */
import { REDIRECT_URI, type Story } from "./core-flow.ts";
import { obtainCcgToken, obtainToken } from "./open-banking-flow.ts";

export async function runCustomer(story: Story): Promise<void> {
  const { steps, gate } = story;
  console.log("\n== The customer at the bank: permissions, a block, a withdrawal ==");
  const account_id = story.accountId;
  const ccg_token = await obtainCcgToken(story, "accounts", 8);
  const { consent_id } = await steps.step(
    "A consent without an end",
    () =>
      gate.obie.createAccountAccessConsent({
        ccg_token,
        data: { permissions: ["ReadAccountsDetail", "ReadBalances", "ReadTransactionsBasic"] },
      }),
    { status: 201, body: { data: { consent_id: /./ } } },
  );
  const token = await obtainToken(story, ccg_token, consent_id, "accounts");

  await steps.step(
    "The permissions that the bank's page shows to the customer",
    () => gate.accounts.listPermissions({ account_id, status: "active" }),
    {
      status: 200,
      body: {
        data: {
          0: {
            id: consent_id,
            psp: { legal_name: /./, standing: "Authorised" },
            data: { 0: { group: "Your account details" }, 1: { group: "Your account transactions" } },
          },
        },
      },
    },
  );
  await steps.step(
    "The bank blocks account information for this account",
    () => gate.accounts.putBlock({ account_id, scopes: ["accounts"] }),
    { status: 200, body: { data: { scopes: ["accounts"] } } },
  );
  await steps.step("The token is inactive meanwhile", () => gate.oauth2.getToken({ token }), {
    status: 200,
    body: { data: { active: false } },
  });
  await steps.step(
    "A code is refused by the redirect",
    () =>
      gate.obie.createAuthorizationCode({
        ccg_token,
        consent_id,
        psu_account_id: account_id,
        redirect_uri: REDIRECT_URI,
        scope: "accounts",
      }),
    {
      status: 403,
      body: {
        data: { redirect_uri: { parameters: { error: "access_denied" } } },
        errors: { 0: { code: "account_blocked" } },
      },
    },
  );
  await steps.step("The bank lifts the block", () => gate.accounts.deleteBlock({ account_id }), { status: 204 });
  await steps.step("The token is active again", () => gate.oauth2.getToken({ token }), {
    status: 200,
    body: { data: { active: true } },
  });
  await steps.step(
    "The customer withdraws the permission",
    () => gate.accounts.withdrawPermission({ account_id, permission_id: consent_id, by: "customer" }),
    { status: 204 },
  );
  await steps.step("Its token is revoked", () => gate.oauth2.getToken({ token }), {
    status: 200,
    body: { data: { active: false } },
  });
  await steps.step(
    "The customer's page shows who ended which permission",
    () => gate.accounts.listPermissions({ account_id, status: "ended" }),
    { status: 200, body: { data: { 0: { status: "ended", ended_by: "customer", ended_at: /./ } } } },
  );
  await steps.step(
    "The bank withdraws all permissions of the account",
    () => gate.accounts.withdrawAllPermissions({ account_id }),
    { status: 204 },
  );
  await steps.step("None is active", () => gate.accounts.listPermissions({ account_id, status: "active" }), {
    status: 200,
    body: { data: { length: 0 } },
  });
}
