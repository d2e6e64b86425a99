/**
 * The PSPs that an institution has met, in its database: what it saw of each, and nothing that another institution saw. It
 * is written behind the answer (observations.ts), once an hour, or when something of it has changed. Of one that the
 * institution has grants for or watches the sweep notes here what a register changes; of others the next check does.
 */
import type { Instant } from "../platform/instant.ts";
import { WRITES_REFUSED } from "../platform/schema-version.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { plain } from "../registers/search.ts";
import { findDueAt } from "./certificate-end.ts";
import { type MetStanding, metStandingOf, SEEN_AGAIN_MS } from "./met-standing.ts";
import type { PspStanding } from "./standing.ts";

const STANDING = "iif(:standing = 'absent' AND met.standing IN ('authorised', 'lost'), 'lost', :standing)";
/** What is not known now does not undo what was. */
const standingAfter = `iif(:standing = 'unknown', met.standing, ${STANDING})`;
const lostAfter = `iif(${standingAfter} = 'lost', coalesce(met.lost_at, :now), NULL)`;
/** Of the certificate that ends last: the noted one goes if it turned out to be revoked. */
const ofLatest = (column: string, latest: string): string =>
  `CASE WHEN :notAfter > coalesce(met.not_after, 0) THEN ${latest}
     WHEN met.certificate = :revoked THEN NULL ELSE met.${column} END`;

export const MET_STATEMENTS = {
  // before the row is written: a name that it has is found already
  name: `
    INSERT OR IGNORE INTO met_psp_names (fi_id, part, psp_id)
    SELECT :fiId, part.value, :pspId FROM json_each(:parts) AS part
    WHERE NOT ${WRITES_REFUSED}
      AND NOT EXISTS (SELECT 1 FROM met_psps WHERE fi_id = :fiId AND psp_id = :pspId AND name IS :name)`,
  // one that was held up on its way undoes no later one
  note: `
    INSERT INTO met_psps AS met (
      fi_id, psp_id, name, first_seen_at, seen_at, standing, lost_at, certificate, not_after, due_at)
    SELECT :fiId, :pspId, :name, :now, :now, :standing, iif(:standing = 'lost', :now, NULL),
      iif(:notAfter IS NULL, NULL, :certificate), :notAfter, :now
    WHERE NOT ${WRITES_REFUSED}
    ON CONFLICT DO UPDATE SET
      name = coalesce(:name, met.name), seen_at = :now, standing = ${standingAfter}, lost_at = ${lostAfter},
      certificate = ${ofLatest("certificate", ":certificate")}, not_after = ${ofLatest("not_after", ":notAfter")},
      due_at = iif(met.announced = 0, met.due_at, ${ofLatest("due_at", ":dueAt")})
    WHERE :now >= met.seen_at AND (:now >= met.seen_at + ${SEEN_AGAIN_MS} OR met.name IS NOT coalesce(:name, met.name)
      OR met.standing <> ${standingAfter} OR :notAfter > coalesce(met.not_after, 0) OR met.certificate = :revoked)`,
  // a sweep's: nobody has seen it
  restand: `
    UPDATE met_psps AS met SET standing = ${standingAfter}, lost_at = ${lostAfter}
    WHERE fi_id = :fiId AND psp_id = :pspId AND standing <> ${standingAfter}`,
} as const;

/** What a check showed of a PSP. */
export interface Sight {
  readonly pspId: string;
  readonly name: string | null;
  readonly standing: MetStanding;
  /** SHA-256 in lower-case hex. */
  readonly certificate: string;
  /** `accepted`: every verdict is true; `revoked`: its issuer says so. */
  readonly found: "accepted" | "revoked" | "other";
  readonly notAfter: Instant;
}

const MAX_NAME_CHARACTERS = 200;
/** A search by more characters looks at the names that begin so. */
export const PART_CHARACTERS = 16;
export const MIN_PART_CHARACTERS = 3;

/** From each character of the name and of the number on. */
export function listParts(pspId: string, name: string | null): string[] {
  const parts = [plain(pspId), plain((name ?? "").slice(0, MAX_NAME_CHARACTERS))].flatMap((text) =>
    Array.from({ length: Math.max(0, text.length - MIN_PART_CHARACTERS + 1) }, (_, i) =>
      text.slice(i, i + PART_CHARACTERS).trim(),
    ),
  );
  return [...new Set(parts)].filter((part) => part.length >= MIN_PART_CHARACTERS);
}

/** `db`: the institution's. Throws StoreError. */
export async function noteMetPsp(db: D1Database, fiId: number, sight: Sight, now: Instant): Promise<void> {
  const { pspId, standing, certificate, found } = sight;
  const name = sight.name?.slice(0, MAX_NAME_CHARACTERS) ?? null;
  const notAfter = found === "accepted" ? sight.notAfter : null;
  const statements = [
    bindNamed(db, MET_STATEMENTS.name, { fiId, pspId, name, parts: JSON.stringify(listParts(pspId, name)) }),
    bindNamed(db, MET_STATEMENTS.note, {
      ...{ fiId, pspId, name, standing, certificate, notAfter, now },
      revoked: found === "revoked" ? certificate : null,
      dueAt: notAfter === null ? null : findDueAt(notAfter, now),
    }),
  ];
  await callStore("D1", () => db.batch(statements));
}

/** The statement by which the sweep notes what a register says now. */
export const restandMetPsp = (
  db: D1Database,
  fiId: number,
  pspId: string,
  register: PspStanding["register"],
  now: Instant,
): D1PreparedStatement =>
  bindNamed(db, MET_STATEMENTS.restand, { fiId, pspId, standing: metStandingOf(register), now });
