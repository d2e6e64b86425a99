/** The demo's second part: the open-banking flow, with CCG tokens and consents. */
import type { Scope } from "../../client/index.ts";
import { clock } from "../../platform/clock.ts";
import { REDIRECT_URI, type Story } from "./core-flow.ts";
import { WalkEnded } from "./steps.ts";

const STATE = "xyz-42";
const DAY_MS = 86_400_000;

export async function runOpenBankingFlow(story: Story): Promise<void> {
  console.log("\n== Open-banking flow: a CCG token replaces the certificate ==");
  await runAccountAccess(story);
  await runPaymentOrder(story);
}

export async function obtainCcgToken(
  { steps, gate, psp }: Story,
  scope: Scope,
  payment_service_number: number,
): Promise<string> {
  const { access_token } = await steps.step(
    `A CCG token for the PSP of this certificate, for ${scope}`,
    () => gate.obie.createCcgToken({ eIDAS: psp, scope }),
    { status: 201, body: { access_token: /./, token_type: "bearer", scope, payment_service_number, active: true } },
  );
  return access_token;
}

/** From a consent to a code to a token, for either scope. */
export async function obtainToken(
  { steps, gate, accountId }: Story,
  ccg_token: string,
  consent_id: string,
  scope: Scope,
): Promise<string> {
  const authorization = await steps.step(
    "The customer agreed to the consent: a code for it",
    () =>
      gate.obie.createAuthorizationCode({
        ccg_token,
        consent_id,
        psu_account_id: accountId,
        redirect_uri: REDIRECT_URI,
        scope,
        state: STATE,
      }),
    { status: 201, body: { data: { redirect_uri: { parameters: { code: /./, state: STATE } } } } },
  );
  if (!authorization.granted) throw new WalkEnded("no code");
  const auth_code = authorization.redirect_uri.parameters.code;
  const { access_token } = await steps.step(
    "The PSP exchanges the code for an access token",
    () => gate.obie.createToken({ ccg_token, auth_code, redirect_uri: REDIRECT_URI }),
    { status: 201, body: { data: { access_token: /./, token_type: "bearer", state: STATE } } },
  );
  return access_token;
}

async function runAccountAccess(story: Story): Promise<void> {
  const { steps, gate } = story;
  const ccg_token = await obtainCcgToken(story, "accounts", 8);
  const { consent_id } = await steps.step(
    "A consent to look at the account, for 90 days",
    () =>
      gate.obie.createAccountAccessConsent({
        ccg_token,
        data: {
          permissions: ["ReadAccountsBasic", "ReadBalances"],
          expiration_date_time: new Date(clock.now() + 90 * DAY_MS).toISOString(),
          transaction_from_date_time: null,
          transaction_to_date_time: null,
        },
      }),
    { status: 201, body: { data: { consent_id: /./, status: "AwaitingAuthorisation" } } },
  );
  const consent = { ccg_token, consent_id };
  const token = await obtainToken(story, ccg_token, consent_id, "accounts");

  await steps.step("The consent is authorised", () => gate.obie.getAccountAccessConsent(consent), {
    status: 200,
    body: { data: { consent_id, status: "Authorised" } },
  });
  await steps.step("The token is active", () => gate.obie.getToken({ ccg_token, token }), {
    status: 200,
    body: { data: { active: true } },
  });
  await steps.step("The customer withdraws the consent", () => gate.obie.deleteAccountAccessConsent(consent), {
    status: 204,
  });
  await steps.refusal("The consent is not found any more", () => gate.obie.getAccountAccessConsent(consent), {
    status: 404,
  });
  await steps.step("Its token is revoked", () => gate.obie.getToken({ ccg_token, token }), {
    status: 200,
    body: { data: { active: false, expires_in: 0 } },
  });
}

async function runPaymentOrder(story: Story): Promise<void> {
  const { steps, gate } = story;
  const ccg_token = await obtainCcgToken(story, "payments", 7);
  const initiation = {
    instruction_identification: "ANSM021",
    end_to_end_identification: "FRESCO.21302.GFX.37",
    instructed_amount: { amount: "165.88", currency: "EUR" },
    creditor_account: { scheme_name: "IBAN", identification: "XX0700000000000001", name: "Fresco Ltd" },
    remittance_information: { reference: "FRESCO-037" },
  };
  const { consent_id } = await steps.step(
    "A consent to one payment",
    () => gate.obie.createPaymentOrderConsent({ ccg_token, data: { initiation } }),
    { status: 201, body: { data: { consent_id: /./, status: "AwaitingAuthorisation", initiation } } },
  );
  await obtainToken(story, ccg_token, consent_id, "payments");
  await steps.step(
    "The payment order is consumed: no second token can be issued for it",
    () => gate.obie.getPaymentOrderConsent({ ccg_token, consent_id }),
    { status: 200, body: { data: { consent_id, status: "Consumed" } } },
  );
  await steps.step(
    "The PSP's newest payment order",
    () => gate.obie.listPaymentOrderConsents({ ccg_token, limit: 1 }),
    { status: 200, body: { data: { 0: { consent_id }, length: 1 } } },
  );
}
