/**
 * POST /v1/introspect: token introspection (RFC 7662) for the FI's resource servers, which ask before they serve a
 * request with a bearer token. Not in the interface.
 *
 * The answer to a token that is not active at this FI is `{"active": false}` and nothing else; the reason is in the log
 * line's `outcome`. With the certificate of the PSP that shows the token in the header `eidas`, a token is active only
 * for the PSP that it was issued to, so a stolen token has no value.
 */

import { Buffer } from "node:buffer";
import type { Context } from "hono";
import * as z from "zod";
import type { TokenRefusal } from "../grants/bearer.ts";
import { findIntrospection, type Introspection } from "../grants/tokens.ts";
import type { AppEnv } from "../http/context.ts";
import { judgeBearer } from "../http/middleware/bearer-token.ts";
import { validate } from "../http/middleware/validate.ts";
import { steps } from "../http/steps.ts";
import { databaseOf } from "../institutions/databases.ts";
import { toSeconds } from "../platform/clock.ts";
import { toBase64Url } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { once } from "../platform/memory.ts";
import { AT_HOME, type Decision, decide } from "../psp-check/decision.ts";
import { findStanding } from "../registers/entitlement.ts";
import { findHomeRegisterIfReadable, type RegisterReading } from "../registers/lookup.ts";
import type { ActiveToken, InactiveToken } from "./introspect.answer.ts";
import { bearerToken } from "./parameters.ts";
import { TOKEN_TYPE } from "./token-record.ts";

/** Other parameters, such as RFC 7662's `token_type_hint`, are ignored: there is one kind of token. */
export const body = once(() => z.object({ token: bearerToken() }));

export const introspectToken = steps(validate("json", body), async (c) => {
  const { token } = c.req.valid("json");
  const { fi, now } = c.var;
  const bearer = await judgeBearer(c, token, (id) => findIntrospection(databaseOf(c.env, fi), fi.id, id));
  if (!bearer.ok) return answerInactive(c, bearer.reason);
  const { introspection, shown } = bearer;
  const { pspId } = introspection.token;
  // a token stays active when its PSP has lost its authorisation, and when nobody can tell
  const home = shown ? shown.check.home : await findHomeRegisterIfReadable(c.env.KV, pspId, now);
  // without a certificate: it and its roles were checked when the token was issued
  const decision = shown?.decision ?? decide({ verdicts: null, services: null, pspId, home, ...AT_HOME, now });
  return c.json(describe(introspection, shown?.check.certificate ?? null, home, decision, now));
});

/** RFC 7662 section 2.2: nothing is said of a token that is not active, not even why. */
function answerInactive(c: Context<AppEnv>, reason: TokenRefusal): Response {
  c.set("outcome", reason);
  const answer: InactiveToken = { active: false };
  return c.json(answer);
}

/** `certificate`: SHA-256 in hex of the one that was shown; null if none was. `home`: null if the register cannot be read. */
function describe(
  { token, access }: Introspection,
  certificate: string | null,
  home: RegisterReading | null,
  decision: Decision,
  now: Instant,
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
    // RFC 8705 section 3.2. A token is bound to its PSP: it is confirmed for the certificate that was judged with it
    ...(certificate !== null && { cnf: { "x5t#S256": toThumbprint(certificate) } }),
    psp: { legal_name: legalName, standing: status, decision: decision[token.scope] },
  };
}

const toThumbprint = (hex: string): string => toBase64Url(Buffer.from(hex, "hex"));

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
