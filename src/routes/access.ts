/**
 * GET /v1/access: may this request of a PSP pass? For a gateway in front of the bank's API, by its subrequest. Not in the
 * interface.
 *
 * The token is judged as by POST /v1/introspect, and the certificate has to be shown. What the gateway hands on to the PSP
 * has a challenge `Bearer` (RFC 6750 section 3): 401 for the token or the certificate, 403 for what the token lacks. Every
 * other status, and a 401 with another challenge, is a fault of the gateway or of this service, and lets nothing pass.
 */
import type { Context } from "hono";
import * as z from "zod";
import { findLack, type TokenRefusal } from "../grants/bearer.ts";
import { MAX_AGE_SECONDS } from "../grants/kept-introspections.ts";
import { PERMISSIONS } from "../grants/permission.ts";
import { findRecentIntrospection } from "../grants/recent-introspection.ts";
import type { Introspection } from "../grants/tokens.ts";
import type { AppEnv } from "../http/context.ts";
import { errorResponse, isErrorCode } from "../http/errors/error-response.ts";
import { ApiError, type Problem } from "../http/errors/errors.ts";
import { type JudgedToken, judgeBearer } from "../http/middleware/bearer-token.ts";
import { readPresented } from "../http/middleware/certificate.ts";
import { explainMissingHeader, hasOldName } from "../http/middleware/request-headers.ts";
import { validate } from "../http/middleware/validate.ts";
import { steps } from "../http/steps.ts";
import { databaseOf } from "../institutions/databases.ts";
import type { Instant } from "../platform/instant.ts";
import { once } from "../platform/memory.ts";
import { SCOPES } from "../registers/entitlement.ts";
import { accountIdInQuery, isNot } from "./parameters.ts";

/** A parameter that is sent twice is a list. */
const mustBe =
  (allowed: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    Array.isArray(input) ? "is given twice" : isNot(input, allowed);

const NAMES = PERMISSIONS.join("|");
/** Separated by blanks, as OAuth's scopes are (RFC 6749 section 3.3). */
const permissions = () =>
  z
    .string("is given twice")
    .superRefine((list, ctx) => {
      const odd = list.split(" ").find((name) => !PERMISSIONS.some((known) => known === name));
      if (odd === undefined) return;
      ctx.addIssue({ code: "custom", message: isNot(odd, `one of ${PERMISSIONS.join(", ")}`) });
    })
    .meta({ pattern: `^(?:${NAMES})(?: (?:${NAMES}))*$` });

const age = { error: mustBe(`a number from 0 to ${MAX_AGE_SECONDS}`) };

export const query = once(() =>
  z
    .object({
      scope: z.enum(SCOPES, { error: mustBe(SCOPES.join(" or ")) }),
      permission: permissions().optional(),
      account_id: accountIdInQuery().optional(),
      standing: z.enum(["required"], { error: mustBe('"required": send that, or leave it out') }).optional(),
      max_age: z
        .string(age)
        .regex(/^(?:[1-5]?\d|60)$/, age)
        .transform(Number)
        .meta({ type: "integer", minimum: 0, maximum: MAX_AGE_SECONDS, default: 0 })
        .optional(),
    })
    .superRefine(({ scope, permission }, ctx) => {
      if (scope === "payments" && permission !== undefined)
        ctx.addIssue({ code: "custom", path: ["permission"], message: "is of the scope accounts only" });
    }),
);

/** What the backend is told. A gateway lets none of a PSP's pass under these names: test/unit/gateways.test.ts. */
export const ACCESS_HEADERS = [
  "psp-id",
  "account-id",
  "consent-id",
  "permissions",
  "transaction-from",
  "transaction-to",
  "expires-in",
] as const;

export const answerAccess = steps(validate("query", query), async (c) => {
  const needed = c.req.valid("query");
  const { fi, now } = c.var;
  const token = (c.req.header("access_token") ?? "").replace(/^bearer(?: +|$)/i, "");
  // RFC 6750 section 3.1: no error where nothing was shown
  if (token === "") return refuse(c, { code: "access_token_missing" }, null);
  if (!isShown(c)) {
    const title = explainMissingHeader(c, "eidas");
    // by its old name it was meant, so it is the gateway's mistake
    if (hasOldName(c, "eidas")) throw new ApiError({ code: "certificate_missing", status: 400, title });
    return refuse(c, { code: "certificate_missing", title }, "invalid_token");
  }
  const bearer = await judgeBearer(c, token, (id) =>
    findRecentIntrospection(databaseOf(c.env, fi), fi.id, id, needed.max_age ?? 0, now),
  );
  if (!bearer.ok) return refuseToken(c, bearer);
  const { introspection, shown } = bearer;
  const { scope, permission, account_id } = needed;
  const permissions = permission?.split(" ") ?? [];
  const lack = findLack(introspection, { scope, permissions, accountId: account_id });
  if (lack !== null) return refuse(c, { code: "insufficient_scope", title: lack }, "insufficient_scope");
  const [lost] = needed.standing === "required" ? (shown?.decision[scope].reasons ?? []) : [];
  if (lost) return refuse(c, { code: "payment_service_invalid", title: lost.message }, "insufficient_scope");
  const described = describe(introspection, now);
  for (const name of ACCESS_HEADERS) c.header(name, described[name] ?? undefined);
  return c.body(null, 200);
});

/** Whether the PSP has shown a certificate: proxies leave the header out, or send it empty or as `(null)`. */
function isShown(c: Context<AppEnv>): boolean {
  const header = c.req.header("eidas") ?? "";
  // a certificate is longer, and is parsed only if it was not seen before
  if (header.length > LONGEST_WITHOUT) return true;
  const presented = readPresented(c);
  return presented !== null && (presented.ok || presented.reason !== "empty");
}
const LONGEST_WITHOUT = 100;

const TOKEN_TITLES: Readonly<Partial<Record<TokenRefusal, string>>> = {
  token_unknown: "The access token is not one that this institution has given, or was altered",
  token_revoked: "The access token was revoked, or its consent was withdrawn",
  token_expired: "The access token is expired",
  consent_ended: "The consent of the access token has ended",
  account_blocked: "The institution has blocked the account for the token's scope",
  token_of_another_psp: "The access token was issued to another PSP than that of the certificate",
};

/** The line in the log has the reason as its outcome, as of an introspection. */
function refuseToken(c: Context<AppEnv>, { reason, verdict }: JudgedToken & { readonly ok: false }): Response {
  const title = TOKEN_TITLES[reason];
  const ofToken: Problem = { code: "access_token_invalid", ...(title !== undefined && { title }) };
  // what is wrong with the certificate has a code of its own, and the sentence that a request for a code gets
  const ofCertificate: Problem | null = verdict?.code === reason ? { code: reason, title: verdict.message } : null;
  const problem = ofCertificate ?? (title === undefined && isErrorCode(reason) ? { code: reason } : ofToken);
  const answer = refuse(c, problem, "invalid_token");
  c.set("outcome", reason);
  return answer;
}

/** `error`: of RFC 6750 section 3.1; null where no token was shown. */
function refuse(c: Context<AppEnv>, problem: Problem, error: "invalid_token" | "insufficient_scope" | null): Response {
  const challenge = error === null ? 'Bearer realm="accounts and payments"' : `Bearer error="${error}"`;
  return errorResponse(c, new ApiError(problem, { "WWW-Authenticate": challenge }));
}

/** For the backend: null does not apply. What is no text of ASCII is percent-encoded, as in a URL. */
const describe = (
  { token, access }: Introspection,
  now: Instant,
): Readonly<Record<(typeof ACCESS_HEADERS)[number], string | null>> => ({
  "psp-id": encodeURI(token.pspId),
  "account-id": encodeURIComponent(token.accountId),
  "consent-id": token.consentId,
  permissions: access?.permissions.join(" ") ?? null,
  "transaction-from": access?.transactionFromDateTime ?? null,
  "transaction-to": access?.transactionToDateTime ?? null,
  "expires-in": String(Math.floor((token.expiresAt - now) / 1000)),
});
