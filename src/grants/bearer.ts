/**
 * Whether a bearer token may be used by the PSP that shows it, and whether it is enough for a request. One rule for
 * POST /v1/introspect and GET /v1/access. Pure.
 */
import type { VerdictError } from "../eidas/verdicts.ts";
import type { Instant } from "../platform/instant.ts";
import { findVerdictError } from "../psp-check/decision.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";
import type { Scope } from "../registers/entitlement.ts";
import { findInactivity, type Inactivity, type Introspection } from "./tokens.ts";

type Misuse = VerdictError | "certificate_authorisation_number_missing" | "token_of_another_psp";
export type TokenRefusal = "token_unknown" | Inactivity | Misuse;

/**
 * Why the token is not active for who shows it; null if it is. `introspection`: null for a token that is not this
 * institution's. `check`: of the certificate that is shown with it; null if none is.
 */
export const findTokenRefusal = (
  introspection: Introspection | null,
  check: PspCheck | null,
  now: Instant,
): TokenRefusal | null =>
  introspection === null
    ? "token_unknown"
    : (findInactivity(introspection, now) ?? (check && findMisuse(introspection, check)));

/** Why the certificate does not make its holder the PSP of the token; null if it does. */
function findMisuse({ token }: Introspection, check: PspCheck): Misuse | null {
  const failed = findVerdictError(check);
  if (failed) return failed.code;
  if (check.psp.pspId === null) return "certificate_authorisation_number_missing";
  return check.psp.pspId === token.pspId ? null : "token_of_another_psp";
}

/** What a request to the bank needs. */
export interface NeededAccess {
  readonly scope: Scope;
  /** All of them, by their names; a detailed permission holds the basic one. */
  readonly permissions: readonly string[];
  /** Undefined: the request names no account, or the backend looks. */
  readonly accountId: string | undefined;
}

/**
 * What an active token lacks, in a sentence; null if it is enough. A token without a list of permissions (core flow) gives
 * none: what nobody has agreed to is not held.
 */
export function findLack({ token, access }: Introspection, needed: NeededAccess): string | null {
  if (token.scope !== needed.scope) return `The token is for the scope ${token.scope}, not ${needed.scope}`;
  if (needed.accountId !== undefined && token.accountId !== needed.accountId) return "The token is for another account";
  const held: readonly string[] = access?.permissions ?? [];
  const lacking = needed.permissions.find(
    (one) => !held.includes(one) && !held.includes(one.replace(/Basic$/, "Detail")),
  );
  if (lacking === undefined) return null;
  return access === null
    ? `The token has no list of permissions, so not ${lacking}: it is under no account access consent`
    : `The customer has not agreed to ${lacking}`;
}
