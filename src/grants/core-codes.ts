/**
 * Codes without a consent, in D1: which of them give tokens, by one row for each account, PSP and scope. The codes
 * themselves are Durable Objects (codes.ts), whose text carries `agreed_after`. Codes under a consent end with it.
 */
import { callStore } from "../platform/stores.ts";
import { ACCOUNT_BLOCK_STATEMENTS, type AccountBlock, type BlockRow, blockFromRows } from "./account-block.ts";
import type { Scope } from "./scopes.ts";
import { GIVE_TICKET, LAST_TICKET, readTicket } from "./tickets.ts";

/** Its row is deleted two days after the last code (retention.ts), so to write once a day is enough. */
const NOTED_WITHIN_MS = 86_400_000;

const ROW = "fi_id = ?1 AND account_id = ?2 AND psp_id = ?3 AND scope = ?4";

export const CORE_CODE_STATEMENTS = {
  // a new row takes a ticket: no code from before an earlier one was deleted is alive by it
  begin: `${GIVE_TICKET} AND NOT EXISTS (SELECT 1 FROM core_codes WHERE ${ROW})`,
  note: `
    INSERT INTO core_codes (fi_id, account_id, psp_id, scope, codes_after, noted_at)
    VALUES (?1, ?2, ?3, ?4, ${LAST_TICKET}, ?5)
    ON CONFLICT DO UPDATE SET noted_at = excluded.noted_at WHERE noted_at < excluded.noted_at - ${NOTED_WITHIN_MS}`,
  last: `SELECT last FROM tickets WHERE id = 1`,
} as const;

/** SQL: whether a code without a consent gives a token. The parameters are the arguments. */
export const isCoreCodeAlive = (fi: string, account: string, psp: string, scope: string, agreedAfter: string): string =>
  `EXISTS (SELECT 1 FROM core_codes AS codes
    WHERE codes.fi_id = ${fi} AND codes.account_id = ${account} AND codes.psp_id = ${psp} AND codes.scope = ${scope}
      AND codes.codes_after <= ${agreedAfter})`;

/** Whom a code is for. */
interface CodePlace {
  readonly fiId: number;
  readonly accountId: string;
  readonly pspId: string;
  readonly scope: Scope;
}

/**
 * Notes in one transaction that a code is issued at `now` (milliseconds since 1970). Returns the last ticket that was given
 * before it, for the code's text, and the account's block.
 */
export async function noteCoreCode(
  db: D1Database,
  { fiId, accountId, pspId, scope }: CodePlace,
  now: number,
): Promise<{ readonly agreedAfter: number; readonly block: AccountBlock }> {
  const { begin, note, last } = CORE_CODE_STATEMENTS;
  const place = [fiId, accountId, pspId, scope] as const;
  const [, , tickets, blocks] = await callStore("D1", () =>
    db.batch([
      db.prepare(begin).bind(...place),
      db.prepare(note).bind(...place, now),
      db.prepare(last).bind(),
      db.prepare(ACCOUNT_BLOCK_STATEMENTS.find).bind(fiId, accountId),
    ]),
  );
  return { agreedAfter: readTicket(tickets?.results), block: blockFromRows((blocks?.results ?? []) as BlockRow[]) };
}
