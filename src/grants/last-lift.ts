/**
 * When an institution last lifted a block or ended a watch, in its own database: a PUT that was asked for before, and is carried
 * out after its caller was told 503 (store-error.ts), would set again what was answered as lifted. It sets nothing any more.
 */
import { callStore } from "../store-error.ts";

/** SQL: whether the institution has lifted something at `asOf` or since. */
export const hasLiftedSince = (fiId: string, asOf: string): string =>
  `EXISTS (SELECT 1 FROM financial_institutions WHERE id = ${fiId} AND lifted_at >= ${asOf})`;

export const LAST_LIFT_STATEMENTS = {
  find: "SELECT lifted_at FROM financial_institutions WHERE id = ?1",
  // ?3: not in an attempt of putAfterLifts that sets nothing, which would stop the next one, too
  note: `
    UPDATE financial_institutions SET lifted_at = max(lifted_at + 1, ?2)
    WHERE id = ?1 AND (?3 IS NULL OR lifted_at < ?3)`,
} as const;

/** For the transaction that lifts something at `now` (milliseconds since 1970), behind what it sets as of `asOf`, if anything. */
export const liftStatement = (
  db: D1Database,
  fiId: number,
  now: number,
  asOf: number | null = null,
): D1PreparedStatement => db.prepare(LAST_LIFT_STATEMENTS.note).bind(fiId, now, asOf);

/**
 * Carries out in one transaction what `put` makes to set something as of `now`, each unless {@link hasLiftedSince}. A lift of
 * anything else in between has stopped it, too: then once more as of right after that, which only a caller who waits does.
 */
export async function putAfterLifts<Row>(
  db: D1Database,
  fiId: number,
  now: number,
  put: (asOf: number) => readonly D1PreparedStatement[],
): Promise<D1Result<Row>[]> {
  const find = db.prepare(LAST_LIFT_STATEMENTS.find).bind(fiId);
  for (let asOf = now; ; ) {
    const [found, ...results] = await callStore("D1", () => db.batch([find, ...put(asOf)]));
    const [row] = (found?.results ?? []) as { lifted_at: number }[];
    if (!row || row.lifted_at < asOf) return results as D1Result<Row>[];
    asOf = row.lifted_at + 1;
  }
}
