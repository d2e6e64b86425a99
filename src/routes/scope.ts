/** The permission of the PSP that acts: 403 when its CCG token, its certificate or its register does not give it. */

import { type Client, findScopeRefusal } from "../grants/client.ts";
import { ApiError } from "../http/errors/errors.ts";
import { quote } from "../platform/quotation.ts";
import { SCOPES, type Scope } from "../registers/entitlement.ts";
import type { Refusal } from "./redirect-record.ts";

/**
 * For requests that create something: the PSP's certificate and home register must allow the scope at `now`
 * (milliseconds since 1970).
 */
export async function requireScope(client: Client, scope: Scope, now: number): Promise<void> {
  const refusal = await findScopeRefusal(client, scope, now);
  if (refusal !== null) throw new ApiError({ code: "payment_service_invalid", title: refusal });
}

/**
 * For an authorization request, where the error is part of the redirect URI: a scope that is unknown, or that the PSP
 * may not use at `now` (milliseconds since 1970), is OAuth's `invalid_scope` (RFC 6749 section 4.1.2.1).
 */
export async function decideScope(
  client: Client,
  requested: string,
  now: number,
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
