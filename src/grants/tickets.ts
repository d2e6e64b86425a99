/**
 * The order of withdrawals, blocks and watches, and of what customers agree to: a counter in the institution's database. A
 * withdrawal takes a ticket, and ends what was agreed to before. What a customer agrees to notes the last ticket that was
 * given (`agreed_after`), so a smaller one than the withdrawal's is older. No clock of any isolate is asked.
 *
 * The ticket is taken in a call of its own, before the change. So a change that is carried out late, after its caller was
 * answered 503, still has its place before all that came since (platform/stores.ts).
 */
import { callStore } from "../platform/stores.ts";

/** SQL: the ticket that was given last. */
export const LAST_TICKET = "(SELECT last FROM tickets WHERE id = 1)";

// larger than the last whatever the time is. At least D1's time: a database that was set back, by `restore` or by D1's Time
// Travel, would give tickets again that codes under way have noted
export const GIVE_TICKET = "UPDATE tickets SET last = max(last + 1, unixepoch() * 1000) WHERE id = 1";

export const TICKET_STATEMENTS = { take: `${GIVE_TICKET} RETURNING last` } as const;

/** A new ticket, larger than all before it. A ticket that is not used does no harm. Throws StoreError. */
export async function takeTicket(db: D1Database): Promise<number> {
  return readTicket((await callStore("D1", () => db.prepare(TICKET_STATEMENTS.take).bind().all())).results);
}

/** The ticket in the result of a statement that asks for one. */
export function readTicket(rows: readonly unknown[] = []): number {
  const [row] = rows as readonly { readonly last: number }[];
  if (!row) throw new Error("D1 has no row in the table tickets");
  return row.last;
}
