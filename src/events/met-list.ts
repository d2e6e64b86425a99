/** The PSPs that an institution has met, a page at a time: at most two rows are read for each that is shown. */
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { plain } from "../registers/search.ts";
import { MIN_PART_CHARACTERS, PART_CHARACTERS } from "./met-psps.ts";
import type { MetStanding } from "./met-standing.ts";

const COLUMNS = `
  met.psp_id AS pspId, met.name, met.first_seen_at AS firstSeenAt, met.seen_at AS seenAt, met.standing,
  met.lost_at AS lostAt, met.certificate, met.not_after AS notAfter`;
const OWN = "met.fi_id = :fiId";

/** Those whose certificate ends within this time. */
const ENDS_SOON_MS = 30 * 86_400_000;

/** Each begins after the place of the last row of the page before: a time or a part of a name, and the number. */
export const MET_LIST_STATEMENTS = {
  all: `
    SELECT ${COLUMNS}, met.seen_at AS place FROM met_psps AS met
    WHERE ${OWN} AND (met.seen_at, met.psp_id) < (:place, :pspId)
    ORDER BY met.seen_at DESC, met.psp_id DESC LIMIT :limit`,
  lost: `
    SELECT ${COLUMNS}, met.lost_at AS place FROM met_psps AS met
    WHERE ${OWN} AND met.lost_at IS NOT NULL AND (met.lost_at, met.psp_id) < (:place, :pspId)
    ORDER BY met.lost_at DESC, met.psp_id DESC LIMIT :limit`,
  ending: `
    SELECT ${COLUMNS}, met.not_after AS place FROM met_psps AS met
    WHERE ${OWN} AND met.not_after > :now AND met.not_after <= :now + ${ENDS_SOON_MS}
      AND (met.not_after, met.psp_id) > (:place, :pspId)
    ORDER BY met.not_after, met.psp_id LIMIT :limit`,
  watched: `
    SELECT ${COLUMNS.replace("met.psp_id", "watch.psp_id")}, 0 AS place
    FROM psp_watches AS watch LEFT JOIN met_psps AS met ON ${OWN} AND met.psp_id = watch.psp_id
    WHERE watch.fi_id = :fiId AND watch.ended_at IS NULL AND watch.psp_id > :pspId
    ORDER BY watch.psp_id LIMIT :limit`,
  named: `
    SELECT ${COLUMNS}, part.part AS place
    FROM met_psp_names AS part CROSS JOIN met_psps AS met ON ${OWN} AND met.psp_id = part.psp_id
    WHERE part.fi_id = :fiId AND part.part < :end AND (part.part, part.psp_id) > (:place, :pspId)
    ORDER BY part.part, part.psp_id LIMIT :limit`,
  // of a file: one that is seen meanwhile keeps its place
  byNumber: `
    SELECT ${COLUMNS}, 0 AS place FROM met_psps AS met
    WHERE ${OWN} AND met.psp_id > :pspId ORDER BY met.psp_id LIMIT :limit`,
  numbered: `
    SELECT ${COLUMNS}, 0 AS place FROM json_each(:numbers) AS number
    CROSS JOIN met_psps AS met ON ${OWN} AND met.psp_id = number.value`,
} as const;

/** Nulls of one that is watched, and was never met. */
export interface MetPsp {
  readonly pspId: string;
  readonly name: string | null;
  readonly firstSeenAt: Instant | null;
  /** To the hour. */
  readonly seenAt: Instant | null;
  readonly standing: MetStanding | null;
  /** Since when it is known that it lost its authorisation; null: it has not. */
  readonly lostAt: Instant | null;
  /** SHA-256 in lower-case hex of the one that ends last, and its end. */
  readonly certificate: string | null;
  readonly notAfter: Instant | null;
}

/** After which row a page begins. */
export interface MetPlace {
  readonly place: string | number;
  readonly pspId: string;
}
type Placed = MetPsp & Pick<MetPlace, "place">;

export type MetFilter = "all" | "lost" | "ending" | "watched" | "byNumber";

export interface MetPage {
  readonly psps: readonly MetPsp[];
  /** Null: it is the last page. */
  readonly next: MetPlace | null;
}

/** Before each row of the list. */
const FIRST: Readonly<Record<MetFilter, MetPlace>> = {
  all: { place: Number.MAX_SAFE_INTEGER, pspId: "" },
  lost: { place: Number.MAX_SAFE_INTEGER, pspId: "" },
  ending: { place: 0, pspId: "" },
  watched: { place: 0, pspId: "" },
  byNumber: { place: 0, pspId: "" },
};

/**
 * The last seen first; of the lost ones the last lost, of certificates the first to end; watched ones, and all for a file, by
 * number. `db`: the institution's. Throws StoreError.
 */
export async function listMetPsps(
  db: D1Database,
  fiId: number,
  filter: MetFilter,
  after: MetPlace | null,
  limit: number,
  now: Instant,
): Promise<MetPage> {
  const values = { fiId, now, ...(after ?? FIRST[filter]), limit: limit + 1 };
  return await readPage(bindNamed(db, MET_LIST_STATEMENTS[filter], values), limit);
}

/** Those with these characters in the name or number, whatever their case and accents; null if they are too few. */
export async function searchMetPsps(
  db: D1Database,
  fiId: number,
  sought: string,
  after: MetPlace | null,
  limit: number,
): Promise<MetPage | null> {
  const text = plain(sought);
  if (text.length < MIN_PART_CHARACTERS) return null;
  const part = text.slice(0, PART_CHARACTERS).trim();
  const values = { fiId, end: `${part}\u{10ffff}`, ...(after ?? { place: part, pspId: "" }), limit: limit + 1 };
  const page = await readPage(bindNamed(db, MET_LIST_STATEMENTS.named, values), limit);
  const fits = ({ pspId, name }: MetPsp) => [pspId, name ?? ""].some((one) => plain(one).includes(text));
  // a name may have the characters twice; and an earlier name of it may have them
  const psps = new Map(page.psps.map((psp) => [psp.pspId, psp]));
  return { psps: [...psps.values()].filter((psp) => text.length <= PART_CHARACTERS || fits(psp)), next: page.next };
}

async function readPage(statement: D1PreparedStatement, limit: number): Promise<MetPage> {
  const { results } = await callStore("D1", () => statement.all<Placed>());
  const last = results.length > limit ? results[limit - 1] : undefined;
  const psps = results.slice(0, limit).map(({ place: _, ...psp }) => psp);
  return { psps, next: last ? { place: last.place, pspId: last.pspId } : null };
}

/** Those of these numbers, in normal form. Throws StoreError. */
export async function findMetPsps(db: D1Database, fiId: number, numbers: readonly string[]): Promise<MetPsp[]> {
  const find = bindNamed(db, MET_LIST_STATEMENTS.numbered, { fiId, numbers: JSON.stringify(numbers) });
  return (await callStore("D1", () => find.all<Placed>())).results.map(({ place: _, ...psp }) => psp);
}
