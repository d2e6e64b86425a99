/** Sources that are older than they may be, by the rule of `status`: one notice for each time that one becomes so. Pure. */
import { type RegisterManifest, type RegisterMaxAges, registerAge } from "../registers/manifest.ts";
import type { TrustListManifest } from "../trust/anchors.ts";
import { isStale } from "../trust/anchors.ts";
import type { Notice } from "./notices.ts";

export interface Freshness {
  /** Of the sources that are stale. */
  readonly notices: readonly Notice[];
  /** When the next source becomes stale, in milliseconds since 1970; infinite if none does by itself. */
  readonly nextAt: number;
}

/** `now`: milliseconds since 1970. */
export function findStaleSources(
  lists: readonly TrustListManifest[],
  registers: readonly RegisterManifest[],
  maxAges: RegisterMaxAges,
  now: number,
): Freshness {
  const sources = [...lists.map((list) => ofList(list, now)), ...registers.map((one) => ofRegister(one, maxAges, now))];
  return {
    notices: sources.flatMap(({ stale, notice }) => (stale ? [notice] : [])),
    nextAt: Math.min(...sources.map(({ stale, staleAt }) => (stale ? Number.POSITIVE_INFINITY : staleAt))),
  };
}

interface Judged {
  readonly stale: boolean;
  /** Milliseconds since 1970. */
  readonly staleAt: number;
  readonly notice: Notice;
}

/** A list of any country may have issued the certificates of a PSP, so whoever has to do with PSPs is told. */
function ofList(list: TrustListManifest, now: number): Judged {
  const { source, jurisdiction, sequenceNumber, nextUpdate, issuedAt } = list;
  const subject = `list ${source} ${jurisdiction}`;
  const about = { source, jurisdiction, sequence_number: sequenceNumber, issued_at: issuedAt, next_update: nextUpdate };
  return {
    stale: isStale(list, now),
    // stale after its nextUpdate, not at it
    staleAt: nextUpdate === null ? Number.POSITIVE_INFINITY : Date.parse(nextUpdate) + 1,
    notice: makeNotice(subject, about, nextUpdate ?? issuedAt, null, []),
  };
}

function ofRegister(register: RegisterManifest, maxAges: RegisterMaxAges, now: number): Judged {
  const { source, country, published, fetchedAt, hash } = register;
  const limit = maxAges[source];
  const age = registerAge(register, now);
  const subject = `register ${country} ${source}`;
  const evidence = [{ document: subject, sha256: hash }];
  const about = { source, jurisdiction: country, published, fetched_at: fetchedAt };
  return {
    stale: limit !== null && age > limit,
    staleAt: limit === null ? Number.POSITIVE_INFINITY : now - age + limit + 1,
    notice: makeNotice(subject, about, source === "eba" ? published : fetchedAt, country, evidence),
  };
}

/** `since`: what is renewed with the source, so that it can become stale again. */
const makeNotice = (
  subject: string,
  about: object,
  since: string,
  country: string | null,
  evidence: Notice["news"]["evidence"],
): Notice => ({
  id: `stale ${subject} ${since}`,
  type: "source.stale",
  subject,
  pspId: null,
  country,
  news: { before: { stale: false, ...about }, after: { stale: true, ...about }, evidence },
});
