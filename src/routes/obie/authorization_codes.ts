/** POST /v1/obie/authorization_codes: authorises a consent, and answers a redirect record with a code for it. */
import * as z from "zod";
import { authoriseAccountAccessConsent } from "../../grants/account-access-consents.ts";
import { issueCode } from "../../grants/codes.ts";
import { authorisePaymentOrderConsent } from "../../grants/payment-order-consents.ts";
import { type Authorisation, ownerOf } from "../../grants/permission.ts";
import { isRecordId } from "../../grants/record-order.ts";
import { tokenSecondsOf } from "../../grants/token-lifetimes.ts";
import { ccgToken } from "../../http/middleware/ccg-token.ts";
import { type Asking, validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { clock } from "../../platform/clock.ts";
import { answerCode, answerRefusal, BLOCKED, decideScope, type Refusal } from "../authorization.ts";
import { accountId, consentId, requestedRedirectUri, requestedScope, state } from "../parameters.ts";

export const body = ({ native }: Pick<Asking, "native">) =>
  z.object({
    consent_id: consentId(),
    psu_account_id: accountId(),
    redirect_uri: requestedRedirectUri(native),
    scope: requestedScope(),
    state: state(),
  });

export const createAuthorizationCode = steps(validate("json", body), ccgToken, async (c) => {
  const request = c.req.valid("json");
  const { consent_id, psu_account_id } = request;
  const { client, now } = c.var;
  const concerns = { accountId: psu_account_id, consentId: isRecordId(consent_id) ? consent_id : null };
  c.set("concerns", concerns);
  const decision = await decideScope(client, request.scope, now);
  if (!decision.ok) return answerRefusal(c, request, decision);
  const { scope } = decision;
  c.set("concerns", { ...concerns, scopes: [scope] });
  const owner = ownerOf(c.var);
  // an id of the other kind is unknown
  const authorise = scope === "accounts" ? authoriseAccountAccessConsent : authorisePaymentOrderConsent;
  const authorisation = await authorise(databaseOf(c.env, c.get("fi")), owner, consent_id, psu_account_id, now);
  if (!authorisation.ok) return answerRefusal(c, request, REFUSALS[authorisation.reason]);
  const grant = {
    flow: "obie",
    ...owner,
    redirectUri: request.redirect_uri,
    scope,
    state: request.state ?? null,
    accountId: psu_account_id,
    consentId: consent_id,
  } as const;
  // a second clock read: the lifetime of the code begins when it is issued
  const tokenSeconds = tokenSecondsOf(c.env, c.get("fi"), scope);
  const code = await issueCode(c.env, grant, tokenSeconds, clock.now(), authorisation.agreedAfter);
  return answerCode(c, request, code);
});

/** These titles reach the PSP through the redirect, so they name no account. */
const REFUSALS: Readonly<Record<Extract<Authorisation, { ok: false }>["reason"], Refusal>> = {
  unknown: accessDenied("consent_denied", "this PSP has no such consent for this scope, or it is revoked"),
  expired: accessDenied("consent_expired", "the consent has expired: create a new one, and let the PSU authorise it"),
  other_account: accessDenied(
    "consent_of_another_account",
    "the consent was first authorised for another account: each account needs a consent of its own",
  ),
  consumed: accessDenied(
    "consent_denied",
    "a token was already issued for the payment order consent: another payment needs a new consent",
  ),
  blocked: BLOCKED,
};

function accessDenied(code: Refusal["problem"]["code"], title: string): Refusal {
  return { ok: false, error: "access_denied", problem: { code, title } };
}
