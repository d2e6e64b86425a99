/**
 * The PSPs that an institution watches, whether or not they have tokens or consents there. A PUT and a DELETE take a ticket
 * each (src/grants/record-order.ts): the later one counts, whichever is carried out last. So a watch that was ended stays for a
 * while (src/grants/retention.ts).
 */
import { takeTicket } from "../grants/record-order.ts";
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { OF_GRANT } from "./standing.ts";

/** Each is compared after every import that changes something. */
export const MAX_WATCHES = 10_000;

export const WATCH_STATEMENTS = {
  // one that is watched already keeps its time
  insert: `
    INSERT INTO psp_watches (fi_id, psp_id, created_at, ticket)
    SELECT :fiId, :pspId, :now, :ticket
    WHERE (SELECT count(*) FROM (
        SELECT 1 FROM psp_watches WHERE fi_id = :fiId AND ended_at IS NULL LIMIT ${MAX_WATCHES})) < ${MAX_WATCHES}
      OR EXISTS (SELECT 1 FROM psp_watches WHERE fi_id = :fiId AND psp_id = :pspId AND ended_at IS NULL)
    ON CONFLICT DO UPDATE SET
      created_at = iif(ended_at IS NULL, created_at, excluded.created_at), ticket = excluded.ticket, ended_at = NULL
    WHERE excluded.ticket > psp_watches.ticket`,
  // what the institution knows from now on; it may know it already, by a token of the PSP: all of it, or what was true when
  // that was granted, which is completed unless something has changed since (then the next sweep notifies that first)
  know: `
    INSERT INTO psp_standings (fi_id, psp_id, digest, standing, seen_at)
    SELECT :fiId, :pspId, :digest, :standing, :now
    WHERE EXISTS (SELECT 1 FROM psp_watches WHERE fi_id = :fiId AND psp_id = :pspId AND ended_at IS NULL)
    ON CONFLICT (fi_id, psp_id) DO UPDATE SET digest = excluded.digest, standing = excluded.standing, seen_at = excluded.seen_at
    WHERE digest LIKE '${OF_GRANT}%'
      AND json_extract(standing, '$.register') = json_extract(excluded.standing, '$.register')
      AND json_extract(standing, '$.issuers') IN ('[]', json_extract(excluded.standing, '$.issuers'))`,
  // one that a DELETE with a later ticket has ended was a watch for a moment
  find: `
    SELECT psp_id AS pspId, created_at AS since FROM psp_watches
    WHERE fi_id = :fiId AND psp_id = :pspId AND (ended_at IS NULL OR ticket > :ticket)`,
  end: `
    INSERT INTO psp_watches (fi_id, psp_id, created_at, ticket, ended_at) VALUES (:fiId, :pspId, :now, :ticket, :now)
    ON CONFLICT DO UPDATE SET ticket = excluded.ticket, ended_at = excluded.ended_at
    WHERE excluded.ticket > psp_watches.ticket`,
  list: `
    SELECT psp_id AS pspId, created_at AS since FROM psp_watches
    WHERE fi_id = ?1 AND psp_id > ?2 AND ended_at IS NULL ORDER BY psp_id LIMIT ?3`,
  one: "SELECT created_at FROM psp_watches WHERE fi_id = ?1 AND psp_id = ?2 AND ended_at IS NULL",
} as const;

export interface Watch {
  /** Normal form of the authorisation number. */
  readonly pspId: string;
  readonly since: Instant;
}

/** A standing as it is stored. */
export interface KnownStanding {
  readonly digest: string;
  /** JSON of a `PspStanding`. */
  readonly standing: string;
}

/**
 * Watches the PSP from `now` on; null if {@link MAX_WATCHES} are watched. `known`: its standing now, from which the next
 * change is notified; null if no register of its country is loaded: then from the first that is.
 */
export async function insertWatch(
  db: D1Database,
  fiId: number,
  pspId: string,
  known: KnownStanding | null,
  now: Instant,
): Promise<Watch | null> {
  const ticket = await takeTicket(db);
  const { insert, know, find } = WATCH_STATEMENTS;
  const values = { fiId, pspId, now, ticket };
  const statements = [
    bindNamed(db, insert, values),
    ...(known ? [bindNamed(db, know, { ...values, ...known })] : []),
    bindNamed(db, find, values),
  ];
  const results = await callStore("D1", () => db.batch<Watch>(statements));
  return results.at(-1)?.results[0] ?? null;
}

/** Ends the watch at `now`; one that is asked for later stays. */
export async function deleteWatch(db: D1Database, fiId: number, pspId: string, now: Instant): Promise<void> {
  const ticket = await takeTicket(db);
  await callStore("D1", () => bindNamed(db, WATCH_STATEMENTS.end, { fiId, pspId, now, ticket }).run());
}

/** The next `limit` watches after the PSP `after` (`""`: from the first), by number. */
export async function listWatches(db: D1Database, fiId: number, after: string, limit: number): Promise<Watch[]> {
  const list = db.withSession("first-primary").prepare(WATCH_STATEMENTS.list).bind(fiId, after, limit);
  return (await callStore("D1", () => list.all<Watch>())).results;
}

/** Since when the PSP is watched; null: it is not. */
export const findWatch = (db: D1Database, fiId: number, pspId: string): Promise<Instant | null> =>
  callStore("D1", () => db.prepare(WATCH_STATEMENTS.one).bind(fiId, pspId).first<Instant>("created_at"));
