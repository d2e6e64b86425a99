/** The institutions that events are made for, one after the other, so that a step can end after any of them. */
import type { Placed } from "../institutions/databases.ts";
import { callStore } from "../platform/stores.ts";

export const INSTITUTION_STATEMENTS = {
  next: "SELECT id, database FROM financial_institutions WHERE id >= ?1 ORDER BY id LIMIT ?2",
} as const;

interface PlacedInstitution extends Placed {
  readonly id: number;
}

/**
 * The next `limit` institutions with an id of at least `from`, disabled ones too: when one is enabled again, it reads what
 * happened meanwhile. `db`: the first.
 */
export async function listNext(db: D1Database, from: number, limit: number): Promise<PlacedInstitution[]> {
  const next = db.prepare(INSTITUTION_STATEMENTS.next).bind(from, limit);
  return (await callStore("D1", () => next.all<PlacedInstitution>())).results;
}
