/**
 * The paged list of an account's tokens: first the active ones, then the ended ones, each by expiry, latest first. The
 * cursor contains the time of the first page, and every page is sorted as of that time. So a token that expires, is
 * revoked or is issued between two pages does not move others, and no token is left out or listed twice. A token that
 * only a block of its account makes inactive has its place among the active ones. A row that only keeps a token from being
 * stored, which nobody got (`insertRevoked` of new-token.ts), expired when it was issued: it is no token.
 */
import type { Instant } from "../platform/instant.ts";
import { digestCursor } from "../platform/secrets.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import type { Account } from "./account-block.ts";
import { isRecordId } from "./record-order.ts";
import { fromRow, READ_TOKEN, type Token, type TokenRow } from "./tokens.ts";

/** The position of a page's last token. */
export interface TokenCursor {
  /** When the first page was read. */
  readonly asOf: Instant;
  readonly active: boolean;
  readonly expiresAt: Instant;
  readonly id: string;
}

export interface TokenPage {
  readonly tokens: readonly Token[];
  /** The cursor of the next page; null on the last page. */
  readonly next: TokenCursor | null;
}

const PAGE = `
    AND expires_at <> issued_at AND (expires_at, id) < (:expiresAt, :id)
    ORDER BY expires_at DESC, id DESC LIMIT :limit`;

export const TOKEN_LIST_STATEMENTS = {
  active: `
    SELECT ${READ_TOKEN} FROM tokens
    WHERE fi_id = :fiId AND account_id = :accountId AND expires_at > :asOf AND (revoked_at IS NULL OR revoked_at > :asOf) ${PAGE}`,
  ended: `
    SELECT ${READ_TOKEN} FROM tokens
    WHERE fi_id = :fiId AND account_id = :accountId AND (expires_at <= :asOf OR revoked_at <= :asOf) ${PAGE}`,
} as const;

const START = { expiresAt: Number.MAX_SAFE_INTEGER, id: "" };

/** At most `limit` of the FI's tokens of an account, after `cursor`, or from the first on if it is null. */
export async function listTokens(
  db: D1Database,
  { fiId, accountId }: { fiId: number; accountId: string },
  cursor: TokenCursor | null,
  limit: number,
  now: Instant,
): Promise<TokenPage> {
  const { asOf, active, ...place } = cursor ?? { asOf: now, active: true, ...START };
  const session = db.withSession("first-primary");
  // one more than `limit`, to find out whether there is a next page
  const list = (sql: string, { expiresAt, id } = START) =>
    bindNamed(session, sql, { fiId, accountId, asOf, expiresAt, id, limit: limit + 1 });
  const { active: listActive, ended: listEnded } = TOKEN_LIST_STATEMENTS;
  const statements = active ? [list(listActive, place), list(listEnded)] : [list(listEnded, place)];
  const results = await callStore("D1", () => session.batch<TokenRow>(statements));
  const read = results.flatMap(({ results }) => results.map(fromRow));
  const tokens = read.slice(0, limit);
  const last = read.length > limit ? tokens.at(-1) : undefined;
  return { tokens, next: last ? cursorAt(last, asOf) : null };
}

const cursorAt = ({ id, expiresAt, revokedAt }: Token, asOf: Instant): TokenCursor => ({
  asOf,
  active: expiresAt > asOf && (revokedAt === null || revokedAt > asOf),
  expiresAt,
  id,
});

const TIME_DIGITS = 9;
const CURSOR_PATTERN = /^(([ae])([0-9a-z]{9})([0-9a-z]{9})([\w-]{31,40}))(\.[\w-]{16})$/;

/** Opaque to the caller, and no secret: a position in a list that the caller may read anyway. */
export function writeCursor(account: Account, { active, asOf, expiresAt, id }: TokenCursor): string {
  const times = [asOf, expiresAt].map((time) => time.toString(36).padStart(TIME_DIGITS, "0")).join("");
  const position = `${active ? "a" : "e"}${times}${id}`;
  return position + digestOf(account, position);
}

/** The inverse of {@link writeCursor}; null for any other text, and for a cursor of another account. */
export function parseCursor(account: Account, text: string): TokenCursor | null {
  const [, position = "", group, asOf = "", expiresAt = "", id = "", digest] = CURSOR_PATTERN.exec(text) ?? [];
  if (!isRecordId(id) || digest !== digestOf(account, position)) return null;
  return { active: group === "a", asOf: Number.parseInt(asOf, 36), expiresAt: Number.parseInt(expiresAt, 36), id };
}

const digestOf = ({ fiId, accountId }: Account, position: string): string =>
  `.${digestCursor(fiId, accountId, position)}`;
