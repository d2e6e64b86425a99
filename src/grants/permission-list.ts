/**
 * The permissions of an account, or those that a PSP has at an FI, from three tables, newest first (by id, which begins
 * with the time of creation). No change moves a permission, so whatever happens between two pages, those of the first
 * moment are listed once.
 */

import type { Instant } from "../platform/instant.ts";
import { DIGEST_CHARACTERS, digestCursor } from "../platform/secrets.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { type Account, isBlocked } from "./account-block.ts";
import { formatDateTime } from "./date-times.ts";
import type { AccessPeriod, AccessPermission, Permission } from "./permission.ts";
import { isRecordId } from "./record-order.ts";

/** Tokens of a permission are of its account, whose live ones are read once if `accountId` is a parameter. */
const hasToken = (permission: "consent_id" | "permission_id", accountId: string): string => `id IN (
      SELECT tokens.${permission} FROM tokens
      WHERE tokens.fi_id = :fiId AND tokens.account_id = ${accountId} AND tokens.expires_at > :now
        AND tokens.revoked_at IS NULL AND tokens.${permission} IS NOT NULL)`;
/** The account of a row, as a parameter where there is one. */
const accountOf = (column: "account_id" | "psp_id" | "id", table: "consent" | "permission"): string =>
  column === "account_id" ? ":value" : `${table}.account_id`;
/** `:after`: the id after which the page begins; `:onlyOpen`: 1 if those that have ended are left out. */
const page = (column: string, isOpen: string): string =>
  `fi_id = :fiId AND ${column} = :value AND account_id IS NOT NULL AND id < :after AND (:onlyOpen = 0 OR ${isOpen})
    ORDER BY id DESC LIMIT :limit`;
const IS_OPEN = "(ended_by IS NULL AND (ends_at IS NULL OR ends_at > :now))";

const SHARED = `id, account_id AS accountId, psp_id AS pspId, granted_at AS grantedAt, last_token_at AS lastTokenAt,
      ends_at AS endsAt, ended_by AS endedBy, ended_reason AS endedReason`;
const NO_ACCESS = "NULL AS permissions, NULL AS transactionFromDateTime, NULL AS transactionToDateTime";

const listBy = (column: "account_id" | "psp_id" | "id") => ({
  accountAccessConsents: `
    SELECT ${SHARED}, 'accounts' AS scope, id AS consentId, permissions,
      transaction_from_date_time AS transactionFromDateTime, transaction_to_date_time AS transactionToDateTime,
      NULL AS initiation, expiration_date_time AS validUntil,
      ${hasToken("consent_id", accountOf(column, "consent"))} AS hasToken,
      ${isBlocked(":fiId", "consent.account_id", "'accounts'")} AS blocked
    FROM account_access_consents AS consent WHERE ${page(column, IS_OPEN)}`,
  paymentOrderConsents: `
    SELECT ${SHARED}, 'payments' AS scope, id AS consentId, ${NO_ACCESS}, initiation, valid_until AS validUntil,
      ${hasToken("consent_id", accountOf(column, "consent"))} AS hasToken,
      ${isBlocked(":fiId", "consent.account_id", "'payments'")} AS blocked
    FROM payment_order_consents AS consent WHERE ${page(column, IS_OPEN)}`,
  corePermissions: `
    SELECT ${SHARED}, scope, NULL AS consentId, ${NO_ACCESS}, NULL AS initiation, valid_until AS validUntil,
      ${hasToken("permission_id", accountOf(column, "permission"))} AS hasToken,
      ${isBlocked(":fiId", "permission.account_id", "permission.scope")} AS blocked
    FROM core_permissions AS permission
    WHERE ${page(column, hasToken("permission_id", accountOf(column, "permission")))}`,
});

export const PERMISSION_LIST_STATEMENTS = {
  account: listBy("account_id"),
  psp: listBy("psp_id"),
  // at most one row: the primary keys
  consent: listBy("id"),
} as const;

const countBy = (column: "account_id" | "psp_id" | "id") =>
  ["account_access_consents", "payment_order_consents", "core_permissions"].map(
    (table) => `
    SELECT count(*) AS permissions FROM (
      SELECT 1 FROM ${table} WHERE fi_id = :fiId AND ${column} = :value AND account_id IS NOT NULL LIMIT :upTo)`,
  );

export const PERMISSION_COUNT_STATEMENTS = {
  account: countBy("account_id"),
  psp: countBy("psp_id"),
  consent: countBy("id"),
} as const;

interface PermissionRow
  extends Omit<Permission, "access" | "initiation" | "validUntil" | "hasToken" | "blocked">,
    Omit<AccessPeriod, "permissions"> {
  readonly permissions: string | null;
  readonly initiation: string | null;
  readonly validUntil: string | Instant | null;
  readonly hasToken: 0 | 1;
  readonly blocked: 0 | 1;
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

/**
 * At most `limit` permissions of the account, PSP or id, after the one with the id `after`, or from the newest on if it is
 * null. `onlyOpen`: without those that have ended at `now`.
 */
export async function searchPermissions(
  db: D1Database,
  { fiId, by, value }: PermissionSearch,
  { after, onlyOpen, limit }: Position,
  now: Instant,
): Promise<PermissionPage> {
  const session = db.withSession("first-primary");
  // "~" sorts after every id; one more than `limit`, to find out whether there is a next page
  const lists = Object.values(PERMISSION_LIST_STATEMENTS[by]).map((sql) =>
    bindNamed(session, sql, { fiId, value, after: after ?? "~", now, onlyOpen: onlyOpen ? 1 : 0, limit: limit + 1 }),
  );
  const results = await callStore("D1", () => session.batch<PermissionRow>(lists));
  const rows = results.flatMap(({ results }) => results).sort((a, b) => (a.id < b.id ? 1 : -1));
  const permissions = rows.slice(0, limit).map(fromRow);
  return { permissions, next: rows.length > limit ? (permissions.at(-1)?.id ?? null) : null };
}

/** How many there are, also those that have ended; of each of the three tables as many as `upTo` at most are counted. */
export async function countPermissions(
  db: D1Database,
  { fiId, by, value }: PermissionSearch,
  upTo: number,
): Promise<number> {
  const counts = PERMISSION_COUNT_STATEMENTS[by].map((sql) => bindNamed(db, sql, { fiId, value, upTo }));
  const results = await callStore("D1", () => db.batch<{ permissions: number }>(counts));
  return results.reduce((sum, { results: [row] }) => sum + (row?.permissions ?? 0), 0);
}

function fromRow(row: PermissionRow): Permission {
  const { permissions, transactionFromDateTime, transactionToDateTime, initiation, validUntil, ...same } = row;
  const period = { transactionFromDateTime, transactionToDateTime };
  return {
    ...same,
    access: permissions === null ? null : { permissions: JSON.parse(permissions) as AccessPermission[], ...period },
    initiation: initiation === null ? null : JSON.parse(initiation),
    validUntil: typeof validUntil === "number" ? formatDateTime(validUntil) : validUntil,
    hasToken: row.hasToken === 1,
    blocked: row.blocked === 1,
  };
}

/** The list that a cursor belongs to. */
export interface PermissionListing extends Account {
  readonly status: "active" | "ended" | null;
}

/** Opaque to the caller, and no secret: a position in a list that the caller may read anyway. */
export const writePermissionCursor = (listing: PermissionListing, id: string): string =>
  `${id}${digestOf(listing, id)}`;

/** The inverse of {@link writePermissionCursor}: the id; null for any other text, and for a cursor of another list. */
export function parsePermissionCursor(listing: PermissionListing, text: string): string | null {
  const id = text.slice(0, -DIGEST_CHARACTERS);
  return isRecordId(id) && text === writePermissionCursor(listing, id) ? id : null;
}

const digestOf = ({ fiId, accountId, status }: PermissionListing, id: string): string =>
  digestCursor(fiId, accountId, status, id);
