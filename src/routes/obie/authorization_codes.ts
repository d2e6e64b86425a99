/** POST /v1/obie/authorization_codes: authorises a consent, and answers a redirect record with a code for it. */
import { createFactory } from "hono/factory";
import * as z from "zod";
import { clock } from "../../clock.ts";
import type { AppEnv } from "../../context.ts";
import type { Problem } from "../../errors.ts";
import {
  type Authorisation,
  authoriseAccountAccessConsent,
  type ConsentOwner,
} from "../../grants/account-access-consents.ts";
import { issueCode } from "../../grants/codes.ts";
import { authorisePaymentOrderConsent } from "../../grants/payment-order-consents.ts";
import type { NativeRedirects } from "../../grants/redirect-uri.ts";
import type { Scope } from "../../grants/scopes.ts";
import { ccgToken } from "../../middleware/ccg-token.ts";
import { validateWithRedirect } from "../../middleware/validate-redirect.ts";
import { accountId, consentId, requestedRedirectUri, requestedScope, state } from "../parameters.ts";
import { answerCode, answerRefusal } from "../redirect-record.ts";
import { decideScope } from "../scope.ts";

const body = (native: NativeRedirects) =>
  z.object({
    consent_id: consentId,
    psu_account_id: accountId,
    redirect_uri: requestedRedirectUri(native),
    scope: requestedScope,
    state,
  });

export const createAuthorizationCode = createFactory<AppEnv>().createHandlers(
  validateWithRedirect(body),
  ccgToken,
  async (c) => {
    const { consent_id, psu_account_id, redirect_uri, state, scope: requested } = c.req.valid("json");
    const { client, fi } = c.var;
    const now = clock.now();
    const decision = await decideScope(client, requested, now);
    if (!decision.ok) {
      const problem = { code: "payment_service_invalid", title: decision.title } as const;
      return answerRefusal(c, redirect_uri, state, "invalid_scope", problem);
    }
    const { scope } = decision;
    const owner = { fiId: fi.id, pspId: client.pspId };
    const authorisation = await authoriseConsent(c.env.DB, scope, owner, consent_id, psu_account_id, now);
    if (authorisation !== "authorised")
      return answerRefusal(c, redirect_uri, state, "access_denied", PROBLEMS[authorisation]);
    const grant = {
      flow: "obie",
      ...owner,
      redirectUri: redirect_uri,
      scope,
      state: state ?? null,
      accountId: psu_account_id,
      consentId: consent_id,
    } as const;
    // a second clock read: the code's 60 seconds begin when it is issued
    return answerCode(c, redirect_uri, await issueCode(c.env, grant, clock.now()), state);
  },
);

/** These titles reach the PSP through the redirect, so they name no account. */
const PROBLEMS: Readonly<Record<Exclude<Authorisation, "authorised">, Problem & { readonly title: string }>> = {
  unknown: {
    code: "consent_denied",
    title: "no such consent of this PSP for this scope, or it is revoked or expired",
  },
  other_account: {
    code: "consent_of_another_account",
    title:
      "the consent is for another account: its first authorization fixed the account; another one needs a new consent",
  },
  consumed: {
    code: "consent_denied",
    title: "the payment order consent has given its token: another payment needs a new consent",
  },
};

/** Authorises a consent of the kind that the scope needs. An id of the other kind is unknown. */
function authoriseConsent(
  db: D1Database,
  scope: Scope,
  owner: ConsentOwner,
  id: string,
  accountId: string,
  now: number,
): Promise<Authorisation> {
  switch (scope) {
    case "accounts":
      return authoriseAccountAccessConsent(db, owner, id, accountId, now);
    case "payments":
      return authorisePaymentOrderConsent(db, owner, id, accountId, now);
  }
}
