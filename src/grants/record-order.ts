/**
 * The orders of records: ids by age, and tickets (see below).
 *
 * Ids of tokens, consents and permissions: the creation time, 128 random bits, and where they were made in another database
 * than the first, its number (src/institutions/databases.ts). They sort by age in every database, so "newest first" is an
 * order by id, and rows are appended at the end of the table instead of inserted all over it.
 */
import type { Instant } from "../platform/instant.ts";
import { makeSecret } from "../platform/secrets.ts";
import { callStore } from "../platform/stores.ts";

/** Nine digits in base 36 hold milliseconds since 1970 up to the year 5188. */
const TIME_DIGITS = 9;

/** `now`: the creation time. `database`: where the row will be. */
export const makeRecordId = (now: Instant, database = 1): string =>
  `${timePrefix(now)}${makeSecret(16)}${database === 1 ? "" : `-${database}`}`;

/** Sorts before all ids made at or after `now`, and after all older ones. */
export const timePrefix = (now: Instant): string => now.toString(36).padStart(TIME_DIGITS, "0");

/** When an id was made; null for a text that does not begin with a time. */
export function timeOfRecordId(id: string): Instant | null {
  const time = Number.parseInt(id.slice(0, TIME_DIGITS), 36);
  return Number.isSafeInteger(time) ? time : null;
}

export const RECORD_ID = /^[0-9a-z]{9}[A-Za-z0-9_-]{22}(?:-[1-9][0-9]{0,2})?$/;

export const isRecordId = (text: string): boolean => RECORD_ID.test(text);

/**
 * SQL: the ticket that was given last.
 *
 * Tickets are the order of withdrawals, blocks and watches, and of what customers agree to: a counter in the institution's
 * database. A withdrawal takes a ticket, and ends what was agreed to before. What a customer agrees to notes the last
 * ticket that was given (`agreed_after`), so a smaller one than the withdrawal's is older. No clock is asked.
 *
 * The ticket is taken in a call of its own, before the change. So a change that is carried out late, after its caller got
 * 503, still has its place before all that came since.
 */
export const LAST_TICKET = "(SELECT last FROM tickets WHERE id = 1)";

// larger than the last whatever the time is. At least D1's time: a database that was set back, by `restore` or by D1's Time
// Travel, would give tickets again that codes under way have noted
export const GIVE_TICKET = "UPDATE tickets SET last = max(last + 1, unixepoch() * 1000) WHERE id = 1";

export const TICKET_STATEMENTS = { take: `${GIVE_TICKET} RETURNING last` } as const;

/** A new ticket, larger than all before it. A ticket that is not used does no harm. */
export async function takeTicket(db: D1Database): Promise<number> {
  return readTicket((await callStore("D1", () => db.prepare(TICKET_STATEMENTS.take).bind().all())).results);
}

/** The ticket in the result of a statement that asks for one. */
export function readTicket(rows: readonly unknown[] = []): number {
  const [row] = rows as readonly { readonly last: number }[];
  if (!row) throw new Error("D1 has no row in the table tickets");
  return row.last;
}
