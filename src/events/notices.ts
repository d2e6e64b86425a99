/**
 * News of interest to many institutions: a revoked certificate that a check has seen (observed-facts.ts), a source that became
 * stale (stale-sources.ts). It is written once, and the scheduled run notifies one institution after the other.
 */
import { registeredNumbers } from "../eidas/authorisation-number.ts";
import { databaseOf } from "../institutions/databases.ts";
import type { Instant } from "../platform/instant.ts";
import { WRITES_REFUSED } from "../platform/schema-version.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore, StoreError } from "../platform/stores.ts";
import type { EventEvidence, EventType } from "./event.ts";
import { insertEvent } from "./event-log.ts";
import { findGrants, hasInterestIn, listNext } from "./interest.ts";

export const NOTICE_STATEMENTS = {
  add: `
    INSERT OR IGNORE INTO notices (id, type, subject, psp_id, country, data, created_at)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT ${WRITES_REFUSED}`,
  next: `
    SELECT id, type, subject, psp_id AS pspId, country, data, created_at AS createdAt, told_to AS toldTo, left_out AS leftOut
    FROM notices WHERE told_at IS NULL AND created_at <= ?1 ORDER BY created_at LIMIT 1`,
  tell: "UPDATE notices SET told_to = :toldTo, told_at = :toldAt, left_out = :leftOut WHERE id = :id",
  // after the others; who was notified already is notified of nothing twice
  again: "UPDATE notices SET told_to = :toldTo, created_at = :at, left_out = NULL WHERE id = :id",
} as const;

export interface Notice {
  /** The same for the same news. */
  readonly id: string;
  readonly type: Extract<EventType, "psp.certificate_revoked" | "source.stale">;
  /** The PSP, or the source. */
  readonly subject: string;
  /** Whose institutions are notified; null: those of a source. */
  readonly pspId: string | null;
  /** ISO code: institutions with a PSP of this country are notified; null: all with any PSP. Only where `pspId` is null. */
  readonly country: string | null;
  readonly news: {
    readonly before: unknown;
    readonly after: unknown;
    readonly evidence: readonly EventEvidence[];
  };
}

/** Writes the notice, unless it was written before. `db`: the first. */
export async function addNotice(db: D1Database, notice: Notice, now: Instant): Promise<void> {
  const { id, type, subject, pspId, country, news } = notice;
  const values = [id, type, subject, pspId, country, JSON.stringify(news), now];
  await callStore("D1", () =>
    db
      .prepare(NOTICE_STATEMENTS.add)
      .bind(...values)
      .run(),
  );
}

interface NoticeRow extends Omit<Notice, "news"> {
  readonly data: string;
  readonly createdAt: Instant;
  /** The last institution that was asked. */
  readonly toldTo: number;
  /** The first one whose database did not answer since the notice was begun; null: none. */
  readonly leftOut: number | null;
}

/** What a step notified, for the log. */
interface Telling {
  readonly summaries: readonly string[];
  /** Of institutions whose database did not answer: the notice is begun again for them. */
  readonly failures: readonly string[];
}

/** One step: tells the oldest notices, as many as there is room for where `maxInstitutions` are asked. */
export async function tellNotices(env: Pick<Env, "DB">, now: Instant, maxInstitutions: number): Promise<Telling> {
  const [summaries, failures]: [string[], string[]] = [[], []];
  for (let left = maxInstitutions; left > 0; ) {
    const next = env.DB.prepare(NOTICE_STATEMENTS.next).bind(now);
    const notice = await callStore("D1", () => next.first<NoticeRow>());
    if (!notice) break;
    const { asked, told, silent } = await tellSome(env, notice, now, left);
    summaries.push(`told ${told} institutions: ${notice.id}`);
    failures.push(...silent);
    left -= asked + 1;
  }
  return { summaries, failures };
}

const AGAIN_MS = 10 * 60_000;

interface Told {
  readonly asked: number;
  readonly told: number;
  /** The messages of databases that did not answer. */
  readonly silent: readonly string[];
}

/** Tells a notice to the next `maxInstitutions`. */
async function tellSome(env: Pick<Env, "DB">, notice: NoticeRow, now: Instant, maxInstitutions: number): Promise<Told> {
  const institutions = await listNext(env.DB, notice.toldTo + 1, maxInstitutions);
  let { leftOut } = notice;
  let told = 0;
  const silent: string[] = [];
  for (const fi of institutions)
    try {
      if (await tellOne(databaseOf(env, fi), fi.id, notice)) told++;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      silent.push(error.message);
      leftOut ??= fi.id;
    }
  const last = institutions.at(-1)?.id ?? notice.toldTo;
  const isLast = institutions.length < maxInstitutions;
  const { tell, again } = NOTICE_STATEMENTS;
  const end =
    isLast && leftOut !== null
      ? bindNamed(env.DB, again, { id: notice.id, toldTo: leftOut - 1, at: now + AGAIN_MS })
      : bindNamed(env.DB, tell, { id: notice.id, toldTo: last, toldAt: isLast ? now : null, leftOut });
  await callStore("D1", () => end.run());
  return { asked: institutions.length, told, silent };
}

/**
 * The event is as of the notice's instant. Its id is the notice's, so that a repeated notification is the same event. A PSP that
 * the institution knows by the other spelling of its number is named by that, and where it knows both, by each.
 */
async function tellOne(db: D1Database, fiId: number, notice: NoticeRow): Promise<boolean> {
  const { id, type, subject, pspId, country, data, createdAt } = notice;
  const numbers = pspId === null ? [] : registeredNumbers(pspId);
  const grants = await findGrants(db, fiId, numbers, createdAt);
  const known = numbers.flatMap((number, i) => (grants[i] ? [{ number, grants: grants[i] }] : []));
  const source = pspId === null && (await hasInterestIn(db, fiId, country)) ? [{ number: null, grants: null }] : [];
  const news = JSON.parse(data) as Notice["news"];
  const statements = [...known, ...source].flatMap(({ number, grants }) => {
    const key = number === pspId ? id : `${id} ${number}`;
    const event = { psp_id: number, ...news, grants };
    return insertEvent(db, { fiId, type, subject: number ?? subject, data: event, key }, null, createdAt);
  });
  if (statements.length === 0) return false;
  await callStore("D1", () => db.batch(statements));
  return true;
}
