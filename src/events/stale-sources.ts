/** Which lists and registers are stale, and the notices of them. Pure. */
import type { Instant } from "../platform/instant.ts";
import {
  isRegisterStale,
  type RegisterManifest,
  type RegisterMaxAges,
  registerDate,
  staleFrom,
} from "../registers/manifest.ts";
import type { TrustListManifest } from "../trust/anchors.ts";
import { isStale } from "../trust/anchors.ts";
import type { Notice } from "./notices.ts";

export interface Freshness {
  /** Of the sources that are stale. */
  readonly notices: readonly Notice[];
  /** When the next source becomes stale; infinite if none does by itself. */
  readonly nextAt: Instant;
}

export function findStaleSources(
  lists: readonly TrustListManifest[],
  registers: readonly RegisterManifest[],
  maxAges: RegisterMaxAges,
  now: Instant,
): Freshness {
  const sources = [
    ...lists.map((list) => stateOfList(list, now)),
    ...registers.map((register) => stateOfRegister(register, maxAges, now)),
  ];
  return {
    notices: sources.flatMap(({ stale, notice }) => (stale ? [notice] : [])),
    nextAt: Math.min(...sources.map(({ stale, staleAt }) => (stale ? Number.POSITIVE_INFINITY : staleAt))),
  };
}

interface SourceState {
  readonly stale: boolean;
  readonly staleAt: Instant;
  readonly notice: Notice;
}

/** A list of any country may have issued the certificates of a PSP, so whoever has to do with PSPs is notified. */
function stateOfList(list: TrustListManifest, now: Instant): SourceState {
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

function stateOfRegister(register: RegisterManifest, maxAges: RegisterMaxAges, now: Instant): SourceState {
  const { source, country, published, fetchedAt, hash } = register;
  const subject = `register ${country} ${source}`;
  const evidence = [{ document: subject, sha256: hash }];
  const about = { source, jurisdiction: country, published, fetched_at: fetchedAt };
  return {
    stale: isRegisterStale(register, maxAges, now),
    staleAt: staleFrom(register, maxAges),
    notice: makeNotice(subject, about, new Date(registerDate(register)).toISOString(), country, evidence),
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
