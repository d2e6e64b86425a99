/** The PSPs that an institution has met or watches: a page of them, and their file. */
import {
  findMetPsps,
  listMetPsps,
  type MetFilter,
  type MetPage,
  type MetPlace,
  type MetPsp,
  searchMetPsps,
} from "../../events/met-list.ts";
import { type RefusedMost, UNVERIFIED } from "../../evidence/ledger/traffic.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { STANDING_WORDS } from "../events/event-words.ts";
import { type ListFile, MAX_RECORDS, members, PART_RECORDS, writeInstant } from "../list-file.tsx";
import type { Reader, Visit } from "../page.ts";
import { countAgainst, readMostRefused, readRefusals } from "./refusals.ts";

export type Filter = Exclude<MetFilter, "byNumber"> | "refused";

/** `refused`: those that nobody vouches for are counted together. */
interface Listed extends MetPage {
  readonly unverified: number;
}

interface Asked {
  /** Empty: the filter counts. */
  readonly sought: string;
  readonly filter: MetFilter | "refused";
  readonly after: MetPlace | null;
  readonly limit: number;
}

type ReadMost = (limit: number) => Promise<readonly RefusedMost[]>;

/** Null: the search has too few letters. Throws StoreError. */
export async function readList(
  visit: Visit<Reader>,
  fi: Chosen,
  { sought, filter, after, limit }: Asked,
  readMost: ReadMost = (most) => readMostRefused(visit, fi, most),
): Promise<Listed | null> {
  const db = databaseOf(visit.c.env, fi);
  const whole = { unverified: 0 };
  if (sought !== "") {
    const page = await searchMetPsps(db, fi.id, sought, after, limit);
    return page && { ...whole, ...page };
  }
  if (filter !== "refused") return { ...whole, ...(await listMetPsps(db, fi.id, filter, after, limit, visit.now)) };
  const from = typeof after?.place === "number" ? after.place : 0;
  const end = from + limit;
  // one more, and those that are no PSP's
  const most = visit.c.env.LEDGER_RECORDS === "off" ? [] : await readMost(end + 2);
  const unverified = most.find(({ psp }) => psp === UNVERIFIED)?.requests ?? 0;
  const refused = most.flatMap(({ psp }) => (psp === UNVERIFIED ? [] : [psp]));
  const numbers = refused.slice(from, end);
  const met = new Map((await findMetPsps(db, fi.id, numbers)).map((psp) => [psp.pspId, psp]));
  const psps = numbers.map((pspId) => met.get(pspId) ?? { ...NOT_MET, pspId });
  return { unverified, psps, next: refused.length > end ? { place: end, pspId: "" } : null };
}

/** By a token alone, or longer ago than PSPs are noted. */
const NOT_MET: Omit<MetPsp, "pspId"> = {
  ...{ name: null, firstSeenAt: null, seenAt: null, standing: null, lostAt: null, certificate: null, notAfter: null },
};

/** As in the address of the next page. */
export const writePlace = ({ place, pspId }: MetPlace): string => JSON.stringify([place, pspId]);

export function readPlace(text: string): MetPlace | null {
  try {
    const [place, pspId] = JSON.parse(text) as unknown[];
    const isPlace = typeof place === "string" || (typeof place === "number" && place >= 0);
    return isPlace && typeof pspId === "string" ? { place, pspId } : null;
  } catch {
    return null;
  }
}

type Row = MetPsp & { readonly refused: number | null };

export function pspList(visit: Visit<Reader>, fi: Chosen, sought: string, filter: Filter): ListFile<Row> {
  // they are in this order at this moment
  let most: ReturnType<ReadMost> | undefined;
  // a name may have the characters twice
  const written = new Set<string>();
  return {
    name: "psps",
    columns: {
      psp: ({ pspId }) => pspId,
      ...members("name"),
      country: ({ pspId }) => longCountryName(pspId.slice(3, 5)),
      standing: ({ standing }) => standing && STANDING_WORDS[standing][1],
      lost_since: ({ lostAt }) => writeInstant(lostAt),
      ...members("certificate"),
      certificate_ends: ({ notAfter }) => writeInstant(notAfter),
      first_seen: ({ firstSeenAt }) => writeInstant(firstSeenAt),
      last_seen: ({ seenAt }) => writeInstant(seenAt),
      refused_in_30_days: ({ refused }) => refused,
    },
    read: async ({ after: address = "" }) => {
      const after = readPlace(address);
      const asked = { sought, filter: filter === "all" ? "byNumber" : filter, after, limit: PART_RECORDS } as const;
      const readMost = (limit: number) => (most ??= readMostRefused(visit, fi, limit + MAX_RECORDS));
      const page = await readList(visit, fi, asked, readMost);
      const psps = page?.psps.filter(({ pspId }) => !written.has(pspId)) ?? [];
      for (const { pspId } of psps) written.add(pspId);
      const refusals = await readRefusals(
        visit,
        fi,
        psps.map(({ pspId }) => pspId),
      );
      const counts = refusals && countAgainst(refusals);
      const rows = psps.map((psp) => ({ ...psp, refused: counts && (counts.get(psp.pspId) ?? 0) }));
      return { rows, next: page?.next ? { after: writePlace(page.next) } : null };
    },
  };
}
