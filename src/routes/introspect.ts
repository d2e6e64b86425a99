/**
 * POST /v1/introspect: token introspection (RFC 7662) for the FI's resource servers, which ask before they serve a
 * request with a bearer token. Not in the interface.
 *
 * The answer to a token that is not active at this FI is `{"active": false}` and nothing else; the reason is in the log
 * line's `outcome`. With the certificate of the PSP that shows the token in the header `eidas`, a token is active only
 * for the PSP that it was issued to, so a stolen token has no value.
 */

import type { Context } from "hono";
import { createFactory } from "hono/factory";
import * as z from "zod";
import type { EidasHeaderFault } from "../eidas/certificate-text.ts";
import { readTokenKeys } from "../grants/token-keys.ts";
import { readAccessToken } from "../grants/token-texts.ts";
import { findInactivity, findIntrospection, type Inactivity, type Introspection } from "../grants/tokens.ts";
import type { ActiveToken, InactiveToken } from "../http/answers/codes-and-tokens.ts";
import type { AppEnv } from "../http/context.ts";
import { ApiError } from "../http/errors/errors.ts";
import { checkPresented, readPresented } from "../http/middleware/certificate.ts";
import { noteCheck } from "../http/middleware/noted-check.ts";
import { explainMissingHeader } from "../http/middleware/request-headers.ts";
import { validate } from "../http/middleware/validate.ts";
import { databaseOf } from "../institutions/databases.ts";
import { toSeconds } from "../platform/clock.ts";
import { once } from "../platform/memory.ts";
import { type Decision, decide, decideOnCheck, findVerdictError, type VerdictError } from "../psp-check/decision.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";
import { findStanding } from "../registers/entitlement.ts";
import { findHomeRegisterIfReadable, type RegisterReading } from "../registers/lookup.ts";
import { bearerToken } from "./parameters.ts";
import { TOKEN_TYPE } from "./token-record.ts";

/** Other parameters, such as RFC 7662's `token_type_hint`, are ignored: there is one kind of token. */
export const body = once(() => z.object({ token: bearerToken() }));

export const introspectToken = createFactory<AppEnv>().createHandlers(validate("json", body), async (c) => {
  const { fi, now } = c.var;
  requireHeaderIfMeant(c);
  const id = readAccessToken(readTokenKeys(c.env), fi.id, c.req.valid("json").token);
  if (id === null) {
    // no store is read for a forged token
    requireReadable(readPresented(c));
    return answerInactive(c, "token_unknown");
  }
  const [found, check] = await Promise.all([findIntrospection(databaseOf(c.env, fi), fi.id, id), checkShown(c)]);
  if (found) c.set("psp", found.token.pspId);
  // of the PSP that shows the token, whosever it is
  const onCheck = check && decideOnCheck(check, null, now);
  if (check && onCheck) noteCheck(c, check, onCheck);
  if (found === null) return answerInactive(c, "token_unknown");
  const refusal = findInactivity(found, now) ?? (check && findMisuse(found, check));
  if (refusal !== null) return answerInactive(c, refusal);

  const { pspId } = found.token;
  // a token stays active when its PSP has lost its authorisation, and when nobody can tell
  const home = check ? check.home : await findHomeRegisterIfReadable(c.env.KV, pspId, now);
  // without a certificate: it and its roles were checked when the token was issued
  const decision = onCheck ?? decide({ verdicts: null, services: null, pspId, home, jurisdiction: null, now });
  return c.json(describe(found, home, decision, now));
});

/** The certificate of the PSP that shows the token, checked; null if none is shown. Throws 400 if it is unreadable. */
async function checkShown(c: Context<AppEnv>): Promise<PspCheck | null> {
  const presented = await checkPresented(c, null, c.get("now"));
  requireReadable(presented);
  return presented?.ok ? presented.check : null;
}

function requireReadable(presented: { readonly ok: true } | EidasHeaderFault | null): void {
  if (presented === null || presented.ok) return;
  const title = `Header eidas is unreadable: ${presented.message}`;
  throw new ApiError({ code: "certificate_unreadable", status: 400, title });
}

/**
 * The header is optional here. But a resource server that sends it empty, or by the name that it had until version 1.6,
 * means to bind the token to its PSP, which must not be left out silently.
 */
function requireHeaderIfMeant(c: Context<AppEnv>): void {
  const [given, old] = [c.req.header("eidas"), c.req.header("x-eidas")];
  if (given || (given === undefined && old === undefined)) return;
  const title =
    given === ""
      ? "Header eidas is empty: leave it out if the PSP shows no certificate"
      : explainMissingHeader(c, "eidas");
  throw new ApiError({ code: "certificate_missing", status: 400, title });
}

type Misuse = VerdictError | "certificate_authorisation_number_missing" | "token_of_another_psp";

/** Why the certificate does not make its holder the PSP of the token; null if it does. */
function findMisuse({ token }: Introspection, check: PspCheck): Misuse | null {
  const failed = findVerdictError(check);
  if (failed) return failed.code;
  if (check.psp.pspId === null) return "certificate_authorisation_number_missing";
  return check.psp.pspId === token.pspId ? null : "token_of_another_psp";
}

/** RFC 7662 section 2.2: nothing is said of a token that is not active, not even why. */
function answerInactive(c: Context<AppEnv>, reason: "token_unknown" | Inactivity | Misuse): Response {
  c.set("outcome", reason);
  const answer: InactiveToken = { active: false };
  return c.json(answer);
}

/** `home`: null if the register cannot be read. `now`: milliseconds since 1970. */
function describe(
  { token, access }: Introspection,
  home: RegisterReading | null,
  decision: Decision,
  now: number,
): ActiveToken {
  const { legalName, status } = findStanding(home, token.scope, now);
  return {
    active: true,
    scope: token.scope,
    // the PSP is the OAuth client, and has no other identifier than its authorisation number
    client_id: token.pspId,
    psp_id: token.pspId,
    account_id: token.accountId,
    ...(token.consentId !== null && { consent_id: token.consentId }),
    ...(access && describeAccess(access)),
    iat: toSeconds(token.issuedAt),
    exp: toSeconds(token.expiresAt),
    token_type: TOKEN_TYPE,
    psp: { legal_name: legalName, standing: status, decision: decision[token.scope] },
  };
}

/** As the interface spells a consent: open ended times are absent. */
const describeAccess = ({
  permissions,
  transactionFromDateTime: from,
  transactionToDateTime: to,
}: NonNullable<Introspection["access"]>) => ({
  permissions,
  ...(from !== null && { transaction_from_date_time: from }),
  ...(to !== null && { transaction_to_date_time: to }),
});
