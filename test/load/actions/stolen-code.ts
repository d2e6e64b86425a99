/** A good code in wrong hands, at a wrong place, or twice: it gives one token at most, and none that lives on. */
import type { Bank } from "../bank.ts";
import type { Exchange, Expected } from "../connection.ts";
import { drawOne } from "../mix.ts";
import {
  coreCall,
  expectedToken,
  type IssuedCode,
  issueCoreCode,
  readRecord,
  redeemCoreCode,
  redemptionOf,
} from "./core-flow.ts";

import { type KnownToken, secondsOf } from "./known-token.ts";
import { drawUnentitled } from "./psps.ts";
import { drawRedirect, expectedErrors, expectedRefusedRedirect, NO_STORE } from "./redirect.ts";

const CODE_USED = "the code was used before; the token issued for it, if any, is now revoked";

const refused = (bank: Bank, { requestId }: Exchange, code: string, title: string): Expected => ({
  status: 403,
  headers: NO_STORE,
  body: { errors: expectedErrors(bank, requestId, code, title) },
});

/** The second use is refused and revokes the token of the first (RFC 6749 section 4.1.2). */
export async function replayCode(bank: Bank): Promise<void> {
  const code = await issueCoreCode(bank);
  const token = await redeemCoreCode(bank, code);
  const replay = await bank.ask(redemptionOf(bank, code), (exchange) =>
    refused(bank, exchange, "code_used", CODE_USED),
  );
  await readRevoked(bank, token, replay);
}

/** Two at the same instant: one wins, and since that is a replay, its token is revoked, too. */
export async function raceForCode(bank: Bank): Promise<void> {
  const code = await issueCoreCode(bank);
  const call = redemptionOf(bank, code);
  const both = await Promise.all([bank.exchange(call), bank.exchange(call, { second: true })]);
  const [first, last] = both.toSorted((a, b) => a.status - b.status);
  if (first === undefined || last === undefined) return;
  bank.hold(call, first, expectedToken(code));
  bank.hold(call, last, refused(bank, last, "code_used", CODE_USED));
  const { access_token: text } = (first.body as { data: { access_token: string } }).data;
  const iat = secondsOf(first);
  const { psp, accountId, scope } = code;
  await readRevoked(
    bank,
    { text, flow: "core", pspId: psp.pspId, certificate: psp.index, accountId, scope, iat, exp: iat, revokedAt: null },
    last,
  );
}

async function readRevoked(bank: Bank, token: KnownToken, replay: Exchange): Promise<void> {
  token.revokedAt = secondsOf(replay);
  await readRecord(bank, token);
}

/** Another PSP, the other institution, another redirect URI, another account: each is refused, and the code still works. */
export async function misuseCode(bank: Bank): Promise<void> {
  const code = await issueCoreCode(bank);
  const { misuse, error, title } = drawOne(bank.random, MISUSES);
  const call = misuse(bank, code);
  await bank.ask(call, (exchange) => refused(bank, exchange, error, title));
  await redeemCoreCode(bank, code);
}

const MISUSES = [
  {
    misuse: (bank: Bank, code: IssuedCode) => ({
      ...redemptionOf(bank, code),
      headers: { ...redemptionOf(bank, code).headers, ...bank.otherIdentity },
    }),
    error: "code_unknown",
    title: "The authorization code is unknown",
  },
  {
    misuse: (bank: Bank, code: IssuedCode) =>
      redemptionOf(bank, { ...code, redirect: { redirect_uri: `${code.redirect.redirect_uri}x` } }),
    error: "redirect_uri_mismatch",
    title: "The authorization code was issued for another redirect_uri",
  },
  {
    misuse: (bank: Bank, code: IssuedCode) => redemptionOf(bank, { ...code, accountId: `${code.accountId}x` }),
    error: "account_id_mismatch",
    title: "The authorization code was issued for another account_id",
  },
] as const;

/** The other institution learns nothing of a token, nor may it end it. */
export async function stealToken(bank: Bank): Promise<void> {
  const token = await redeemCoreCode(bank, await issueCoreCode(bank));
  const method = bank.random() < 0.5 ? "GET" : "DELETE";
  await bank.ask(
    { method, path: `/v1/oauth2/tokens/${token.text}`, headers: { ...bank.otherIdentity, version: "1" } },
    ({ requestId }) => ({
      status: 404,
      headers: NO_STORE,
      body: { errors: expectedErrors(bank, requestId, "token_not_found", "No such token") },
    }),
  );
  await readRecord(bank, token);
}

/** A PSP that its register calls unauthorised gets no code. */
export async function askUnauthorised(bank: Bank): Promise<void> {
  const psp = drawUnentitled(bank);
  const redirect = drawRedirect(bank);
  const title = `PSP ${psp.pspId} is unauthorised in its home register`;
  await bank.ask(
    coreCall(bank, psp, "authorization_codes", {
      account_id: bank.makeName("account"),
      client_request_query_parameters: { response_type: "code", scope: "accounts", ...redirect },
    }),
    (exchange) =>
      expectedRefusedRedirect(bank, exchange, redirect, {
        error: "invalid_scope",
        code: "payment_service_invalid",
        title,
      }),
  );
}
