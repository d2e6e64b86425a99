/** Code and token of the core flow, the account's list, and the end of some tokens. */
import { textLike } from "../answer-difference.ts";
import type { Bank } from "../bank.ts";
import type { Call } from "../connection.ts";
import { drawOne } from "../mix.ts";
import type { PlannedCertificate } from "../world/plan.ts";
import { expectedRecord, type KnownToken, learn, remember, secondsOf, TOKEN_SECONDS } from "./known-token.ts";
import { drawEntitled, eidasOf, SCOPES } from "./psps.ts";
import { codeOf, drawRedirect, expectedRedirect, NO_STORE, type Redirect } from "./redirect.ts";

const DELETED_SHARE = 0.25;
export const TOKEN_TEXT = textLike("a token", /^[A-Za-z0-9]{1,32}\.[0-9A-Za-z_-]{20,64}\.[A-Za-z0-9_-]{43}$/);

/** A code that was issued, with all that its exchange needs. */
export interface IssuedCode {
  readonly text: string;
  readonly psp: PlannedCertificate;
  readonly scope: KnownToken["scope"];
  readonly accountId: string;
  readonly redirect: Redirect;
}

export async function issueCoreCode(bank: Bank): Promise<IssuedCode> {
  const scope = drawOne(bank.random, SCOPES);
  const psp = drawEntitled(bank, scope);
  const accountId = bank.makeName("account");
  const redirect = drawRedirect(bank);
  const exchange = await bank.ask(
    coreCall(bank, psp, "authorization_codes", {
      account_id: accountId,
      client_request_query_parameters: { response_type: "code", scope, ...redirect },
    }),
    (exchange) => expectedRedirect(exchange, redirect),
  );
  return { text: codeOf(exchange), psp, scope, accountId, redirect };
}

export const coreCall = (bank: Bank, psp: PlannedCertificate, noun: string, body: object): Call => ({
  method: "POST",
  path: `/v1/oauth2/${noun}`,
  headers: {
    ...bank.identity,
    version: bank.drawVersion(),
    eidas: eidasOf(bank, psp),
    "content-type": "application/json",
  },
  body: JSON.stringify(body),
});

export const redemptionOf = (bank: Bank, { text, psp, accountId, redirect }: IssuedCode): Call =>
  coreCall(bank, psp, "tokens", {
    account_id: accountId,
    client_request_query_parameters: {
      grant_type: "authorization_code",
      code: text,
      redirect_uri: redirect.redirect_uri,
    },
  });

export const expectedToken = ({ scope }: IssuedCode) => ({
  status: 201,
  headers: NO_STORE,
  body: { data: { access_token: TOKEN_TEXT, expires_in: TOKEN_SECONDS, token_type: "bearer", scope } },
});

export async function redeemCoreCode(bank: Bank, code: IssuedCode): Promise<KnownToken> {
  const exchange = await bank.ask(redemptionOf(bank, code), () => expectedToken(code));
  const { access_token: text } = (exchange.body as { data: { access_token: string } }).data;
  const { psp, accountId, scope } = code;
  const iat = secondsOf(exchange);
  return {
    text,
    flow: "core",
    pspId: psp.pspId,
    certificate: psp.index,
    accountId,
    scope,
    iat,
    exp: iat,
    revokedAt: null,
  };
}

/** The account is new: its list has the one token. */
export async function runCoreFlow(bank: Bank): Promise<void> {
  const token = await redeemCoreCode(bank, await issueCoreCode(bank));
  const list: Call = {
    method: "GET",
    path: `/v1/oauth2/account/${token.accountId}/tokens`,
    headers: { ...bank.identity, version: bank.drawVersion() },
  };
  const listed = await bank.ask(list, ({ body }) => {
    const [record] = (body as { data?: unknown[] } | null)?.data ?? [];
    return { status: 200, headers: NO_STORE, body: { data: [expectedRecord(token, record)] } };
  });
  learn(token, (listed.body as { data: unknown[] }).data[0]);
  if (bank.random() < DELETED_SHARE) await deleteToken(bank, token);
  remember(bank.tokens, token);
}

async function deleteToken(bank: Bank, token: KnownToken): Promise<void> {
  const deleted = await bank.ask(
    { method: "DELETE", path: `/v1/oauth2/tokens/${token.text}`, headers: { ...bank.identity, version: "1" } },
    () => ({ status: 204, headers: NO_STORE, body: null }),
  );
  token.revokedAt = secondsOf(deleted);
  await readRecord(bank, token);
}

export async function readRecord(bank: Bank, token: KnownToken): Promise<void> {
  const { body } = await bank.ask(
    {
      method: "GET",
      path: `/v1/oauth2/tokens/${token.text}`,
      headers: { ...bank.identity, version: bank.drawVersion() },
    },
    ({ body }) => ({
      status: 200,
      headers: NO_STORE,
      body: { data: expectedRecord(token, Reflect.get(Object(body), "data")) },
    }),
  );
  learn(token, (body as { data: unknown }).data);
}
