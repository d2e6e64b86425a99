/** A permission that a customer gave a PSP: a consent, or what tokens without a consent stand for; and how it ends. Pure. */

import type { Instant } from "../platform/instant.ts";
import type { Scope } from "../registers/entitlement.ts";
import { parseDateTime } from "./date-times.ts";

/** Who or what ended a permission. One that ran out was ended by nobody. */
export const ENDED_BY = ["psp", "bank", "customer", "code_used_twice"] as const;
export type EndedBy = (typeof ENDED_BY)[number];

export interface Permission {
  /** The consent's id; without a consent that of the first token. */
  readonly id: string;
  readonly accountId: string;
  readonly pspId: string;
  readonly scope: Scope;
  /** Null: tokens came without a consent (core flow). */
  readonly consentId: string | null;
  readonly access: AccessPeriod | null;
  /** The payment order of a payment order consent, as the PSP sent it. */
  readonly initiation: unknown;
  readonly grantedAt: Instant;
  /** A date-time as consents spell it; null: open ended. */
  readonly validUntil: string | null;
  readonly lastTokenAt: Instant | null;
  /** When it ends or has ended; null: open ended. */
  readonly endsAt: Instant | null;
  /** Who ended it; null if it lives, or has run out. Of one that had run out before, see {@link hasRunOut}. */
  readonly endedBy: EndedBy | null;
  /** Why whoever withdrew it did so, if they said it in the console: for the bank's own pages alone. */
  readonly endedReason: string | null;
  /** It has a token that is neither revoked nor expired. */
  readonly hasToken: boolean;
  /** Its account is blocked for its scope: its tokens are inactive while that lasts. */
  readonly blocked: boolean;
}

/** What an account access consent allows to read. The period's ends are RFC 3339 date-times; null: open. */
export interface AccessPeriod {
  readonly permissions: readonly AccessPermission[];
  readonly transactionFromDateTime: string | null;
  readonly transactionToDateTime: string | null;
}

export interface PermissionEnd {
  /** Null if it is not known: a register says that an authorisation is lost, and not always since when. */
  readonly endedAt: Instant | null;
  readonly endedBy: EndedBy | "expiry" | "authorisation_lost";
}

/**
 * Whether an end is the last moment of what the customer agreed to (`validUntil`: a date-time; null: open ended): then
 * whoever ended it came too late, or had a clock that is ahead.
 */
export const hasRunOut = (endsAt: Instant | null, validUntil: string | null): boolean =>
  endsAt !== null && validUntil !== null && endsAt >= (parseDateTime(validUntil)?.milliseconds ?? Infinity);

/**
 * The end of a permission as of `now`; null while it is active. `lost`: the home register says that the PSP may not use the
 * scope any more. A live token stays valid nevertheless, so the permission does; without one the PSP gets no other, so the
 * permission is over. This is not stored: the authorisation may come back. What somebody ended is over whatever the time
 * is, and a permission without a consent is over when none of its tokens is alive.
 */
export function findEnd(permission: Permission, lost: boolean, now: Instant): PermissionEnd | null {
  const { consentId, endsAt, endedBy, validUntil, hasToken } = permission;
  const isOver = consentId === null || endedBy !== null || (endsAt !== null && endsAt <= now);
  if (isOver && !hasToken)
    return { endedAt: endsAt, endedBy: endedBy === null || hasRunOut(endsAt, validUntil) ? "expiry" : endedBy };
  return lost && !hasToken ? { endedAt: null, endedBy: "authorisation_lost" } : null;
}

/** The account-information permissions of UK Open Banking (Account Access Consents, "Permissions"). */
export const PERMISSIONS = [
  "ReadAccountsBasic",
  "ReadAccountsDetail",
  "ReadBalances",
  "ReadBeneficiariesBasic",
  "ReadBeneficiariesDetail",
  "ReadDirectDebits",
  "ReadOffers",
  "ReadPAN",
  "ReadParty",
  "ReadPartyPSU",
  "ReadProducts",
  "ReadScheduledPaymentsBasic",
  "ReadScheduledPaymentsDetail",
  "ReadStandingOrdersBasic",
  "ReadStandingOrdersDetail",
  "ReadStatementsBasic",
  "ReadStatementsDetail",
  "ReadTransactionsBasic",
  "ReadTransactionsCredits",
  "ReadTransactionsDebits",
  "ReadTransactionsDetail",
] as const;

export type AccessPermission = (typeof PERMISSIONS)[number];

/** The FI and the PSP of a consent. Both must match the caller. */
export interface ConsentOwner {
  readonly fiId: number;
  readonly pspId: string;
}

/** The owner of the consents that a request by this FI for this PSP creates or finds. */
export const ownerOf = (caller: {
  readonly fi: { readonly id: number };
  readonly client: { readonly pspId: string };
}): ConsentOwner => ({ fiId: caller.fi.id, pspId: caller.client.pspId });

/**
 * The result of authorising a consent for a PSU account. `agreedAfter`: the last ticket that was given before (record-order.ts).
 * The first authorization fixes the account. A payment order consent is consumed once a token was issued under it.
 * "blocked": the FI has blocked the account for the scope. Only an account access consent expires.
 */
export type Authorisation =
  | { readonly ok: true; readonly agreedAfter: number }
  | { readonly ok: false; readonly reason: "unknown" | "expired" | "other_account" | "consumed" | "blocked" };

/** Whose decision it was that something ended. */
export type DecidedBy = Exclude<EndedBy, "code_used_twice">;

export interface EndedPermission {
  readonly id: string;
  /** Authorisation number in normal form. */
  readonly psp: string;
  readonly scope: Scope;
}

/**
 * What a withdrawal, a revocation or a deletion has ended, for the record of its answer. The statements themselves return
 * the rows that they changed: a second look might see what another request ended.
 */
export interface Ended {
  readonly permissions: readonly EndedPermission[];
  readonly tokens: readonly string[];
}

/** SQL: what a statement that ends permissions returns of each. `scope` is an expression: a column, or a text in quotes. */
export const returningPermission = (scope: string): string =>
  `RETURNING 'permission' AS ended, id, psp_id, ${scope} AS scope`;
/** SQL: the same of a statement that ends tokens. One that had run out before ended then. */
export const RETURNING_TOKEN = "RETURNING iif(revoked_at < expires_at, 'token', 'before') AS ended, id, psp_id, scope";

interface EndedRow {
  ended: "permission" | "token";
  id: string;
  psp_id: string;
  scope: Scope;
}

/** Of the results of a batch, whichever statements it had: rows of others have no `ended`. */
export function readEnded(results: readonly { readonly results: readonly unknown[] }[]): Ended {
  const rows = results.flatMap((one) => one.results as readonly Partial<EndedRow>[]);
  const ended = (kind: EndedRow["ended"]) => (rows as readonly EndedRow[]).filter((row) => row.ended === kind);
  return {
    permissions: ended("permission").map(({ id, psp_id: psp, scope }) => ({ id, psp, scope })),
    tokens: ended("token").map(({ id }) => id),
  };
}
