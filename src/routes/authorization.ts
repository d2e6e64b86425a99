/** The permission of the PSP that acts: 403 when its CCG token, its certificate or its register does not give it. */

import type { Context } from "hono";
import { type Client, findScopeRefusal } from "../grants/client.ts";
import { composeFullUri } from "../grants/redirect-uri.ts";
import type { AppEnv } from "../http/context.ts";
import { errorList } from "../http/errors/error-response.ts";
import { ApiError, type Problem } from "../http/errors/errors.ts";
import type { Instant } from "../platform/instant.ts";
import { quote } from "../platform/quotation.ts";
import { SCOPES, type Scope } from "../registers/entitlement.ts";
import type { RedirectRecord, RefusedRedirectRecord } from "./authorization.answer.ts";

/** For requests that create something: the PSP's certificate and home register must allow the scope at `now`. */
export async function requireScope(client: Client, scope: Scope, now: Instant): Promise<void> {
  const refusal = await findScopeRefusal(client, scope, now);
  if (refusal !== null) throw new ApiError({ code: "payment_service_invalid", title: refusal });
}

/**
 * For an authorization request, where the error is part of the redirect URI: a scope that is unknown, or that the PSP may
 * not use at `now`, is OAuth's `invalid_scope` (RFC 6749 section 4.1.2.1).
 */
export async function decideScope(
  client: Client,
  requested: string,
  now: Instant,
): Promise<{ readonly ok: true; readonly scope: Scope } | Refusal> {
  const scope = SCOPES.find((known) => known === requested);
  if (scope === undefined) return invalidScope(`scope ${quote(requested)} is neither ${SCOPES.join(" nor ")}`);
  const refusal = await findScopeRefusal(client, scope, now);
  return refusal === null ? { ok: true, scope } : invalidScope(refusal);
}

const invalidScope = (title: string): Refusal => ({
  ok: false,
  error: "invalid_scope",
  problem: { code: "payment_service_invalid", title },
});

/** For requests that only read or revoke: a PSP that has lost its authorisation may still do this. */
export function requireScopeOfToken(client: Client, scope: Scope): void {
  if (!client.scopes.includes(scope))
    throw new ApiError({ code: "payment_service_invalid", title: `the CCG token is not for the scope ${scope}` });
}

/** The parameters of an authorization request that its redirect record repeats. */
interface Redirect {
  readonly redirect_uri: string;
  readonly state?: string | undefined;
}

/** Why no code is issued: OAuth's error for the PSP, and the problem for the FI. */
export interface Refusal {
  readonly ok: false;
  readonly error: "invalid_scope" | "access_denied";
  readonly problem: Problem & { readonly title: string };
}

/** The FI has blocked the account for the scope. The title reaches the PSP, so it says no more than that. */
export const BLOCKED: Refusal = {
  ok: false,
  error: "access_denied",
  problem: { code: "account_blocked", title: "the bank does not allow this access to the account at present" },
};

/** 201: the redirect URI with the code. */
export function answerCode(c: Context<AppEnv>, { redirect_uri, state }: Redirect, code: string): Response {
  const parameters = { code, ...(state !== undefined && { state }) };
  const record = { base_uri: redirect_uri, parameters, full_uri: composeFullUri(redirect_uri, parameters) };
  const answer: RedirectRecord = { data: { redirect_uri: record } };
  return c.json(answer, 201);
}

/** 403: the redirect URI with OAuth's error. The key is `base_url` here, as in the interface's example. */
export function answerRefusal(
  c: Context<AppEnv>,
  { redirect_uri, state }: Redirect,
  { error, problem }: Refusal,
): Response {
  const parameters = { error, error_description: toDescription(problem.title), ...(state !== undefined && { state }) };
  c.set("outcome", problem.code);
  const record = { base_url: redirect_uri, parameters, full_uri: composeFullUri(redirect_uri, parameters) };
  const answer: RefusedRedirectRecord = { data: { redirect_uri: record }, errors: errorList(c, [problem]) };
  return c.json(answer, 403);
}

/** RFC 6749 section 4.1.2.1 allows printable ASCII except the quotation mark and the backslash. */
const toDescription = (title: string): string =>
  title.replaceAll('"', "'").replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?");
