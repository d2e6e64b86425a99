/** A token in D1, of a code that is issued just before; without the code's object. */
import { noteCoreCode } from "../src/grants/core-flow.ts";
import { insertToken, type NewToken } from "../src/grants/new-token.ts";
import { LAST_TICKET } from "../src/grants/record-order.ts";

type GrantedToken = Omit<NewToken, "agreedAfter">;

/** The token with the last ticket that was given before its code. */
export async function withTicket(db: D1Database, token: GrantedToken): Promise<NewToken> {
  if (token.consentId === null) {
    const { agreedAfter } = await noteCoreCode(db, token, token.issuedAt);
    return { ...token, agreedAfter };
  }
  const last = await db.prepare(`SELECT ${LAST_TICKET} AS last`).first<number>("last");
  return { ...token, agreedAfter: last ?? 0 };
}

export const storeToken = async (db: D1Database, token: GrantedToken, lifetimeSeconds: number) =>
  insertToken(db, await withTicket(db, token), lifetimeSeconds);
