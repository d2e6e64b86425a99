/**
 * `psp.code_used_twice`: a code was sent again after it had given a token, so somebody else may have it (RFC 6749 section
 * 10.5). The event is stored in the transaction that revokes the token, once for each code. Loaded by the first such code.
 */
import type { NewToken } from "../grants/new-token.ts";
import type { Instant } from "../platform/instant.ts";
import { callStore } from "../platform/stores.ts";
import { makeEventId } from "./event.ts";
import { insertEvent } from "./event-log.ts";
import { findGrants } from "./interest.ts";

export const USED_CODE_STATEMENTS = {
  find: `
    SELECT EXISTS (SELECT 1 FROM events WHERE id = ?3) AS told,
      (SELECT coalesce(consent_id, permission_id) FROM tokens WHERE id = ?1 AND fi_id = ?2) AS permission_id`,
} as const;

/** To be carried out after the revocation of `token`, at `now`. Names no account. Throws StoreError. */
export async function makeUsedCodeEvent(
  db: D1Database,
  { id, fiId, pspId, scope, consentId }: NewToken,
  now: Instant,
): Promise<D1PreparedStatement[]> {
  const news = { fiId, type: "psp.code_used_twice", subject: pspId, key: id } as const;
  const eventId = makeEventId(fiId, news.type, news.subject, news.key);
  const find = db.prepare(USED_CODE_STATEMENTS.find).bind(id, fiId, eventId);
  const known = await callStore("D1", () => find.first<{ told: 0 | 1; permission_id: string | null }>());
  // a code may be sent again and again
  if (known?.told === 1) return [];
  const [grants = null] = await findGrants(db, fiId, [pspId], now);
  const about = { scope, permission_id: known?.permission_id ?? consentId };
  const data = {
    psp_id: pspId,
    before: { ...about, token_revoked: false },
    after: { ...about, token_revoked: true },
    evidence: [],
    grants,
  };
  return insertEvent(db, { ...news, data }, { token: id }, now);
}
