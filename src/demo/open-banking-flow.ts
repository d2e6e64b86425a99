/** The demo's second part: the open-banking flow, with CCG tokens and consents. */
import { clock } from "../clock.ts";
import { REDIRECT_URI, type Story } from "./core-flow.ts";
import { textAt } from "./steps.ts";

const STATE = "xyz-42";
const DAY_MS = 86_400_000;

export async function runOpenBankingFlow(story: Story): Promise<void> {
  console.log("\n== Open-banking flow: a CCG token replaces the certificate ==");
  await runAccountAccess(story);
  await runPaymentOrder(story);
}

export async function obtainCcgToken(
  { steps, psp }: Story,
  scope: string,
  payment_service_number: number,
): Promise<string> {
  const answer = await steps.step(
    `A CCG token for the PSP of this certificate, for ${scope}`,
    { method: "POST", path: "/v1/obie/ccg_tokens", body: { eIDAS: psp, scope } },
    { status: 201, body: { access_token: /./, token_type: "bearer", scope, payment_service_number, active: true } },
  );
  return textAt(answer, "access_token");
}

/** From a consent to a code to a token, for either scope. */
export async function obtainToken(
  { steps, accountId }: Story,
  headers: Record<string, string>,
  consent_id: string,
  scope: string,
): Promise<string> {
  const code = await steps.step(
    "The customer agreed to the consent: a code for it",
    {
      method: "POST",
      path: "/v1/obie/authorization_codes",
      headers,
      body: { consent_id, psu_account_id: accountId, redirect_uri: REDIRECT_URI, scope, state: STATE },
    },
    { status: 201, body: { data: { redirect_uri: { parameters: { code: /./, state: STATE } } } } },
  );
  const auth_code = textAt(code, "data", "redirect_uri", "parameters", "code");
  const token = await steps.step(
    "The PSP exchanges the code for an access token",
    { method: "POST", path: "/v1/obie/tokens", headers, body: { auth_code, redirect_uri: REDIRECT_URI } },
    { status: 201, body: { data: { access_token: /./, token_type: "bearer", state: STATE } } },
  );
  return textAt(token, "data", "access_token");
}

async function runAccountAccess(story: Story): Promise<void> {
  const { steps } = story;
  const headers = { ccg_token: await obtainCcgToken(story, "accounts", 8) };
  const consent = await steps.step(
    "A consent to look at the account, for 90 days",
    {
      method: "POST",
      path: "/v1/obie/account_access_consents",
      headers,
      body: {
        data: {
          permissions: ["ReadAccountsBasic", "ReadBalances"],
          expiration_date_time: new Date(clock.now() + 90 * DAY_MS).toISOString(),
          transaction_from_date_time: null,
          transaction_to_date_time: null,
        },
      },
    },
    { status: 201, body: { data: { consent_id: /./, status: "AwaitingAuthorisation" } } },
  );
  const consentId = textAt(consent, "data", "consent_id");
  const path = `/v1/obie/account_access_consents/${consentId}`;
  const token = await obtainToken(story, headers, consentId, "accounts");
  const information = { method: "GET", path: `/v1/obie/tokens/${token}`, headers } as const;

  await steps.step(
    "The consent is authorised",
    { method: "GET", path, headers },
    {
      status: 200,
      body: { data: { consent_id: consentId, status: "Authorised" } },
    },
  );
  await steps.step("The token is active", information, { status: 200, body: { data: { active: true } } });
  await steps.step("The customer withdraws the consent", { method: "DELETE", path, headers }, { status: 204 });
  await steps.step("The consent is not found any more", { method: "GET", path, headers }, { status: 404 });
  await steps.step("Its token is revoked", information, {
    status: 200,
    body: { data: { active: false, expires_in: 0 } },
  });
}

async function runPaymentOrder(story: Story): Promise<void> {
  const { steps } = story;
  const headers = { ccg_token: await obtainCcgToken(story, "payments", 7) };
  const path = "/v1/obie/payment_order_consents";
  const initiation = {
    instruction_identification: "ANSM021",
    end_to_end_identification: "FRESCO.21302.GFX.37",
    instructed_amount: { amount: "165.88", currency: "EUR" },
    creditor_account: { scheme_name: "IBAN", identification: "XX0700000000000001", name: "Fresco Ltd" },
    remittance_information: { reference: "FRESCO-037" },
  };
  const order = await steps.step(
    "A consent to one payment",
    { method: "POST", path, headers, body: { data: { initiation } } },
    { status: 201, body: { data: { consent_id: /./, status: "AwaitingAuthorisation", initiation } } },
  );
  const consentId = textAt(order, "data", "consent_id");
  await obtainToken(story, headers, consentId, "payments");
  await steps.step(
    "The payment order is consumed: no second token can be issued for it",
    { method: "GET", path: `${path}/${consentId}`, headers },
    {
      status: 200,
      body: { data: { consent_id: consentId, status: "Consumed" } },
    },
  );
  await steps.step(
    "The PSP's newest payment order",
    { method: "GET", path: `${path}?limit=1`, headers },
    {
      status: 200,
      body: { data: { 0: { consent_id: consentId }, length: 1 } },
    },
  );
}
