/** A permission that a customer gave a PSP: a consent, or what tokens without a consent stand for. Pure. */

import type { EndedBy } from "./core-permissions.ts";
import { parseDateTime } from "./date-times.ts";
import type { AccessPermission } from "./permissions.ts";
import type { Scope } from "./scopes.ts";

/** Times in milliseconds since 1970, if not said otherwise. */
export interface Permission {
  /** The consent's id; without a consent that of the first token. */
  readonly id: string;
  readonly accountId: string;
  readonly pspId: string;
  readonly scope: Scope;
  /** Null: tokens came without a consent (core flow). */
  readonly consentId: string | null;
  /** Of an account access consent. */
  readonly access: AccessPeriod | null;
  /** The payment order of a payment order consent, as the PSP sent it. */
  readonly initiation: unknown;
  readonly grantedAt: number;
  /** A date-time as consents spell it; null: open ended. */
  readonly validUntil: string | null;
  readonly lastTokenAt: number | null;
  /** When it ends or has ended; null: open ended. */
  readonly endsAt: number | null;
  /** Who ended it; null if it lives, or has run out. Of one that had run out before, see {@link hasRunOut}. */
  readonly endedBy: EndedBy | null;
  /** It has a token that is neither revoked nor expired. */
  readonly hasToken: boolean;
  /** Its account is blocked for its scope: its tokens are inactive while that lasts. */
  readonly blocked: boolean;
}

/** What an account access consent allows to read. The period's ends are RFC 3339 date-times; null: open. */
interface AccessPeriod {
  readonly permissions: readonly AccessPermission[];
  readonly transactionFromDateTime: string | null;
  readonly transactionToDateTime: string | null;
}

export interface PermissionEnd {
  /** Null if it is not known: a register says that an authorisation is lost, and not always since when. */
  readonly endedAt: number | null;
  readonly endedBy: EndedBy | "expiry" | "authorisation_lost";
}

/**
 * Whether an end is the last moment of what the customer agreed to (`validUntil`: a date-time; null: open ended): then
 * whoever ended it came too late, or had a clock that is ahead.
 */
export const hasRunOut = (endsAt: number | null, validUntil: string | null): boolean =>
  endsAt !== null && validUntil !== null && endsAt >= (parseDateTime(validUntil)?.milliseconds ?? Infinity);

/**
 * The end of a permission as of `now` (milliseconds since 1970); null while it is active. `lost`: the home register says
 * that the PSP may not use the scope any more. A live token stays valid nevertheless, so the permission does; without
 * one the PSP gets no other, so the permission is over. This is not stored: the authorisation may come back. What somebody
 * ended is over whatever the time is, and a permission without a consent is over when none of its tokens is alive.
 */
export function findEnd(permission: Permission, lost: boolean, now: number): PermissionEnd | null {
  const { consentId, endsAt, endedBy, validUntil, hasToken } = permission;
  const isOver = consentId === null || endedBy !== null || (endsAt !== null && endsAt <= now);
  if (isOver && !hasToken)
    return { endedAt: endsAt, endedBy: endedBy === null || hasRunOut(endsAt, validUntil) ? "expiry" : endedBy };
  return lost && !hasToken ? { endedAt: null, endedBy: "authorisation_lost" } : null;
}
