/** The PSPs that an institution watches, whether or not they have tokens or consents there. */
import { callStore } from "../store-error.ts";
import { OF_GRANT } from "./standing.ts";

/** Each is compared after every import that changes something. */
export const MAX_WATCHES = 10_000;

export const WATCH_STATEMENTS = {
  // one that is watched already keeps its time
  insert: `
    INSERT INTO psp_watches (fi_id, psp_id, created_at, put_at)
    SELECT ?1, ?2, ?3, ?3
    WHERE (SELECT count(*) FROM (SELECT 1 FROM psp_watches WHERE fi_id = ?1 LIMIT ${MAX_WATCHES})) < ${MAX_WATCHES}
      OR EXISTS (SELECT 1 FROM psp_watches WHERE fi_id = ?1 AND psp_id = ?2)
    ON CONFLICT DO UPDATE SET put_at = max(put_at + 1, excluded.put_at)`,
  // what the institution knows from now on; it may know it already, by a token of the PSP: all of it, or what was true when
  // that was granted, which is completed unless something has changed since (then the next sweep tells it first)
  know: `
    INSERT INTO psp_standings (fi_id, psp_id, digest, standing, seen_at)
    SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM psp_watches WHERE fi_id = ?1 AND psp_id = ?2)
    ON CONFLICT (fi_id, psp_id) DO UPDATE SET digest = excluded.digest, standing = excluded.standing, seen_at = excluded.seen_at
    WHERE digest LIKE '${OF_GRANT}%'
      AND json_extract(standing, '$.register') = json_extract(excluded.standing, '$.register')
      AND json_extract(standing, '$.issuers') IN ('[]', json_extract(excluded.standing, '$.issuers'))`,
  find: "SELECT psp_id AS pspId, created_at AS since FROM psp_watches WHERE fi_id = ?1 AND psp_id = ?2",
  seen: "SELECT put_at FROM psp_watches WHERE fi_id = ?1 AND psp_id = ?2",
  // a call may be carried out long after its caller was told 503, and watches the PSP again (store-error.ts)
  delete: "DELETE FROM psp_watches WHERE fi_id = ?1 AND psp_id = ?2 AND put_at = ?3",
  list: `
    SELECT psp_id AS pspId, created_at AS since FROM psp_watches WHERE fi_id = ?1 AND psp_id > ?2
    ORDER BY psp_id LIMIT ?3`,
} as const;

export interface Watch {
  /** Normal form of the authorisation number. */
  readonly pspId: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** A standing as it is stored. */
export interface KnownStanding {
  readonly digest: string;
  /** JSON of a `PspStanding`. */
  readonly standing: string;
}

/**
 * Watches the PSP from `now` (milliseconds since 1970) on; null if {@link MAX_WATCHES} are watched. `known`: its standing
 * now, from which the next change is told; null if its register could not be read: then from the first that is read.
 */
export async function insertWatch(
  db: D1Database,
  fiId: number,
  pspId: string,
  known: KnownStanding | null,
  now: number,
): Promise<Watch | null> {
  const { insert, know, find } = WATCH_STATEMENTS;
  const statements = [
    db.prepare(insert).bind(fiId, pspId, now),
    ...(known ? [db.prepare(know).bind(fiId, pspId, known.digest, known.standing, now)] : []),
    db.prepare(find).bind(fiId, pspId),
  ];
  const results = await callStore("D1", () => db.batch<Watch>(statements));
  return results.at(-1)?.results[0] ?? null;
}

/** Ends the watch that there is; one that is asked for in this moment stays. */
export async function deleteWatch(db: D1Database, fiId: number, pspId: string): Promise<void> {
  const find = db.withSession("first-primary").prepare(WATCH_STATEMENTS.seen).bind(fiId, pspId);
  const seen = await callStore("D1", () => find.first<number>("put_at"));
  if (seen !== null) await callStore("D1", () => db.prepare(WATCH_STATEMENTS.delete).bind(fiId, pspId, seen).run());
}

/** The next `limit` watches after the PSP `after` (`""`: from the first), by number. */
export async function listWatches(db: D1Database, fiId: number, after: string, limit: number): Promise<Watch[]> {
  const list = db.withSession("first-primary").prepare(WATCH_STATEMENTS.list).bind(fiId, after, limit);
  return (await callStore("D1", () => list.all<Watch>())).results;
}
