/**
 * The permissions of an account, or those that a PSP has at an FI, from three tables, newest first (by id, which begins
 * with the time of creation). No change moves a permission, so whatever happens between two pages, those of the first
 * moment are listed once.
 */
import { callStore } from "../store-error.ts";
import { type Account, isBlocked } from "./account-block.ts";
import type { EndedBy } from "./core-permissions.ts";
import { formatDateTime } from "./date-times.ts";
import type { Permission } from "./permission.ts";
import type { AccessPermission } from "./permissions.ts";
import type { Scope } from "./scopes.ts";

/** Tokens of a consent are of its account, whose live ones are read once if `accountId` is a parameter. */
const hasTokenOfConsent = (accountId: string): string => `consent.id IN (
      SELECT tokens.consent_id FROM tokens
      WHERE tokens.fi_id = ?1 AND tokens.account_id = ${accountId} AND tokens.expires_at > ?4
        AND tokens.revoked_at IS NULL AND tokens.consent_id IS NOT NULL)`;
/** The account of a row, as a parameter where there is one. */
const accountOf = (column: "account_id" | "psp_id" | "id"): string =>
  column === "account_id" ? "?2" : "consent.account_id";
/** ?2: what `column` is; ?3: the id after which the page begins; ?5: 1 if those that have ended are left out; ?6: rows. */
const page = (column: string): string =>
  `fi_id = ?1 AND ${column} = ?2 AND account_id IS NOT NULL AND id < ?3 AND (?5 = 0 OR ends_at IS NULL OR ends_at > ?4)
    ORDER BY id DESC LIMIT ?6`;

const listBy = (column: "account_id" | "psp_id" | "id") => ({
  // a Worker of before migration 0009 writes neither granted_at nor ended_by
  accountAccessConsents: `
    SELECT id, account_id, psp_id, 'accounts' AS scope, id AS consent_id, permissions, transaction_from_date_time,
      transaction_to_date_time, NULL AS initiation, coalesce(granted_at, status_updated_at) AS granted_at,
      expiration_date_time AS valid_until, last_token_at, ends_at,
      iif(status = 'Revoked', coalesce(ended_by, 'psp'), NULL) AS ended_by,
      ${hasTokenOfConsent(accountOf(column))} AS has_token, ${isBlocked("?1", "consent.account_id", "'accounts'")} AS blocked
    FROM account_access_consents AS consent WHERE ${page(column)}`,
  paymentOrderConsents: `
    SELECT id, account_id, psp_id, 'payments' AS scope, id AS consent_id, NULL AS permissions, NULL AS transaction_from_date_time,
      NULL AS transaction_to_date_time, initiation, coalesce(granted_at, status_updated_at) AS granted_at,
      valid_until, last_token_at, ends_at, ended_by,
      ${hasTokenOfConsent(accountOf(column))} AS has_token, ${isBlocked("?1", "consent.account_id", "'payments'")} AS blocked
    FROM payment_order_consents AS consent WHERE ${page(column)}`,
  corePermissions: `
    SELECT id, account_id, psp_id, scope, NULL AS consent_id, NULL AS permissions, NULL AS transaction_from_date_time,
      NULL AS transaction_to_date_time, NULL AS initiation, granted_at, valid_until, last_token_at, ends_at, ended_by,
      ends_at > ?4 AS has_token, ${isBlocked("?1", "permission.account_id", "permission.scope")} AS blocked
    FROM core_permissions AS permission WHERE ${page(column)}`,
});

export const PERMISSION_LIST_STATEMENTS = {
  account: listBy("account_id"),
  // indexes: migration 0011
  psp: listBy("psp_id"),
  // at most one row: the primary keys
  consent: listBy("id"),
} as const;

interface PermissionRow {
  id: string;
  account_id: string;
  psp_id: string;
  scope: Scope;
  consent_id: string | null;
  permissions: string | null;
  transaction_from_date_time: string | null;
  transaction_to_date_time: string | null;
  initiation: string | null;
  granted_at: number;
  valid_until: string | number | null;
  last_token_at: number | null;
  ends_at: number | null;
  ended_by: EndedBy | null;
  has_token: 0 | 1;
  blocked: 0 | 1;
}

export interface PermissionPage {
  readonly permissions: readonly Permission[];
  /** The id of the page's last permission, if another page follows; else null. */
  readonly next: string | null;
}

interface Position {
  readonly after: string | null;
  readonly onlyOpen: boolean;
  readonly limit: number;
}

/** Whose permissions are searched among those of one FI: an account's, a PSP's (in normal form), or the one with an id. */
export interface PermissionSearch {
  readonly fiId: number;
  readonly by: keyof typeof PERMISSION_LIST_STATEMENTS;
  readonly value: string;
}

/** See {@link searchPermissions}. */
export const listPermissions = (
  db: D1Database,
  { fiId, accountId }: Account,
  position: Position,
  now: number,
): Promise<PermissionPage> => searchPermissions(db, { fiId, by: "account", value: accountId }, position, now);

/**
 * At most `limit` permissions of the account, PSP or id, after the one with the id `after`, or from the newest on if it is
 * null. `onlyOpen`: without those that have ended at `now` (milliseconds since 1970).
 */
export async function searchPermissions(
  db: D1Database,
  { fiId, by, value }: PermissionSearch,
  { after, onlyOpen, limit }: Position,
  now: number,
): Promise<PermissionPage> {
  const session = db.withSession("first-primary");
  // "~" sorts after every id; one more than `limit`, to find out whether there is a next page
  const lists = Object.values(PERMISSION_LIST_STATEMENTS[by]).map((sql) =>
    session.prepare(sql).bind(fiId, value, after ?? "~", now, onlyOpen ? 1 : 0, limit + 1),
  );
  const results = await callStore("D1", () => session.batch<PermissionRow>(lists));
  const found = results.flatMap(({ results }) => results).sort((a, b) => (a.id < b.id ? 1 : -1));
  const permissions = found.slice(0, limit).map(fromRow);
  return { permissions, next: found.length > limit ? (permissions.at(-1)?.id ?? null) : null };
}

const fromRow = (row: PermissionRow): Permission => ({
  id: row.id,
  accountId: row.account_id,
  pspId: row.psp_id,
  scope: row.scope,
  consentId: row.consent_id,
  access:
    row.permissions === null
      ? null
      : {
          permissions: JSON.parse(row.permissions) as AccessPermission[],
          transactionFromDateTime: row.transaction_from_date_time,
          transactionToDateTime: row.transaction_to_date_time,
        },
  initiation: row.initiation === null ? null : JSON.parse(row.initiation),
  grantedAt: row.granted_at,
  validUntil: typeof row.valid_until === "number" ? formatDateTime(row.valid_until) : row.valid_until,
  lastTokenAt: row.last_token_at,
  endsAt: row.ends_at,
  endedBy: row.ended_by,
  hasToken: row.has_token === 1,
  blocked: row.blocked === 1,
});
