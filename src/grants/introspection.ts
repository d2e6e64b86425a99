/** A token with what a resource server must know to enforce it: one statement, for POST /v1/introspect. */

import { callStore } from "../platform/stores.ts";
import type { AccessPermission } from "./permissions.ts";
import { fromRow, READ_TOKEN, revokedInTime, type Token, type TokenRow } from "./tokens.ts";

/** What the PSU consented to. Date-times are RFC 3339 in UTC; null means open ended. */
interface ConsentedAccess {
  readonly permissions: readonly AccessPermission[];
  readonly transactionFromDateTime: string | null;
  readonly transactionToDateTime: string | null;
  /** Neither revoked nor withdrawn. */
  readonly authorised: boolean;
  /** Milliseconds since 1970; null if open ended. */
  readonly endsAt: number | null;
}

export interface Introspection {
  readonly token: Token;
  /** Of its account access consent; null if it has none. */
  readonly access: ConsentedAccess | null;
}

/** The reason why a token is not active. */
export type Inactivity = "token_revoked" | "token_expired" | "consent_ended" | "account_blocked";

export const INTROSPECTION_STATEMENTS = {
  // two searches by primary keys, and one of the block by its own
  find: `
    SELECT token.*, consent.status, consent.ends_at, consent.permissions,
      consent.transaction_from_date_time, consent.transaction_to_date_time
    FROM (SELECT ${READ_TOKEN} FROM tokens WHERE id = ?1 AND fi_id = ?2) AS token
    LEFT JOIN account_access_consents AS consent
      ON token.scope = 'accounts' AND consent.id = token.consent_id AND consent.fi_id = token.fi_id`,
} as const;

/** The consent's columns are null if there is none. */
interface IntrospectionRow extends TokenRow {
  status: "AwaitingAuthorisation" | "Authorised" | "Revoked" | null;
  ends_at: number | null;
  permissions: string | null;
  transaction_from_date_time: string | null;
  transaction_to_date_time: string | null;
}

/** Reads from the primary, so that a revocation, a withdrawal or a block is effective at once everywhere. */
export async function findIntrospection(db: D1Database, fiId: number, id: string): Promise<Introspection | null> {
  const find = db.withSession("first-primary").prepare(INTROSPECTION_STATEMENTS.find).bind(id, fiId);
  const row = await callStore("D1", () => find.first<IntrospectionRow>());
  if (row === null) return null;
  const access = row.permissions !== null && {
    permissions: JSON.parse(row.permissions) as AccessPermission[],
    transactionFromDateTime: row.transaction_from_date_time,
    transactionToDateTime: row.transaction_to_date_time,
    authorised: row.status === "Authorised",
    endsAt: row.ends_at,
  };
  return { token: fromRow(row), access: access || null };
}

/** Null if the token is active at `now` (milliseconds since 1970). */
export function findInactivity({ token, access }: Introspection, now: number): Inactivity | null {
  if (token.revokedAt !== null) return revokedInTime(token) === null ? "token_expired" : "token_revoked";
  if (now >= token.expiresAt) return "token_expired";
  // a token ends with its consent (new-token.ts); without the consent there is nothing that it could be enforced by
  const underAccess = token.scope === "accounts" && token.consentId !== null;
  if (underAccess && !(access?.authorised && (access.endsAt === null || now < access.endsAt))) return "consent_ended";
  return token.blocked ? "account_blocked" : null;
}
