/** CCG token, consent, code, token and introspection of the open-banking flow. */
import { wholeNumberFrom } from "../answer-difference.ts";
import type { Bank } from "../bank.ts";
import type { Exchange } from "../connection.ts";
import { drawOne } from "../mix.ts";
import { CATEGORIES, type PlannedCertificate } from "../world/plan.ts";
import { obtainCcgToken } from "./ccg-tokens.ts";
import { createConsent, type KnownConsent, readConsent } from "./consents.ts";
import { TOKEN_TEXT } from "./core-flow.ts";
import { type KnownToken, remember, secondsOf, TOKEN_SECONDS } from "./known-token.ts";
import { drawEntitled, SCOPES } from "./psps.ts";
import { codeOf, drawRedirect, expectedRedirect, NO_STORE } from "./redirect.ts";

export async function runOpenBankingFlow(bank: Bank): Promise<void> {
  const scope = drawOne(bank.random, SCOPES);
  const psp = drawEntitled(bank, scope);
  const headers = { ...(await obtainCcgToken(bank, psp, scope)), version: bank.drawVersion() };
  const post = { ...headers, "content-type": "application/json" };
  const consent = await createConsent(bank, headers, scope);
  const accountId = bank.makeName("account");
  const redirect = drawRedirect(bank);
  const authorised = await bank.ask(
    {
      method: "POST",
      path: "/v1/obie/authorization_codes",
      headers: post,
      body: JSON.stringify({ consent_id: consent.id, psu_account_id: accountId, scope, ...redirect }),
    },
    (exchange) => expectedRedirect(exchange, redirect),
  );
  await readConsent(bank, headers, consent, "Authorised", authorised);
  const redeemed = await bank.ask(
    {
      method: "POST",
      path: "/v1/obie/tokens",
      headers: post,
      body: JSON.stringify({ auth_code: codeOf(authorised), redirect_uri: redirect.redirect_uri }),
    },
    (exchange) => ({
      status: 201,
      headers: NO_STORE,
      body: {
        data: {
          access_token: TOKEN_TEXT,
          expires_in: expectedLifetime(exchange, consent.endsAt),
          token_type: "bearer",
          ...(redirect.state !== undefined && { state: redirect.state }),
        },
      },
    }),
  );
  if (scope === "payments") await readConsent(bank, headers, consent, "Consumed", redeemed);
  const { access_token: text } = (redeemed.body as { data: { access_token: string } }).data;
  const iat = secondsOf(redeemed);
  const token: KnownToken = {
    ...{ text, flow: "open banking", pspId: psp.pspId, certificate: psp.index, accountId, scope, iat },
    exp: consent.endsAt ?? iat,
    revokedAt: null,
  };
  await introspect(bank, token, psp, consent);
  remember(bank.tokens, token);
}

/** A token does not outlive its consent. */
const expectedLifetime = ({ sentAt, receivedAt }: Exchange, endsAt: number | null) =>
  endsAt === null
    ? TOKEN_SECONDS
    : wholeNumberFrom(endsAt - Math.floor(receivedAt / 1_000), endsAt - Math.floor(sentAt / 1_000));

async function introspect(
  bank: Bank,
  token: KnownToken,
  psp: PlannedCertificate,
  consent: KnownConsent,
): Promise<void> {
  const { initiation: _, consent_id, creation_date_time: __, expiration_date_time: ___, ...access } = consent.fields;
  const service = token.scope === "payments" ? 7 : 8;
  const category = CATEGORIES[psp.standing].find(({ services }) => services.includes(service));
  const { body } = await bank.ask(
    {
      method: "POST",
      path: "/v1/introspect",
      headers: {
        ...bank.identity,
        version: bank.drawVersion(),
        "content-type": "application/x-www-form-urlencoded",
      },
      body: `token=${token.text}`,
    },
    ({ body }) => ({
      status: 200,
      headers: NO_STORE,
      body: {
        active: true,
        scope: token.scope,
        client_id: psp.pspId,
        psp_id: psp.pspId,
        account_id: token.accountId,
        consent_id,
        ...access,
        iat: token.iat,
        exp: consent.endsAt ?? Number(Reflect.get(Object(body), "iat")) + TOKEN_SECONDS,
        token_type: "bearer",
        psp: {
          legal_name: psp.legalName,
          standing: category?.status ?? null,
          decision: { allowed: true, reasons: [] },
        },
      },
    }),
  );
  const { iat, exp } = body as { iat: number; exp: number };
  Object.assign(token, { iat, exp });
}
