/** What is said of a list that is loaded. Apart from what reads lists: `status` and the console need no XML for it. */

/** An issue of a list, as it is loaded. */
export interface LoadedIssue {
  readonly sequenceNumber: number;
  /** ISO 8601; absent for a list of lists that an earlier release loaded. */
  readonly issuedAt?: string | undefined;
}

/** A lower number is a replay, unless it is issued later. The same number must not be issued earlier. */
export function isOlder({ sequenceNumber, issuedAt }: LoadedIssue, loaded: LoadedIssue): boolean {
  if (sequenceNumber > loaded.sequenceNumber) return false;
  const known = issuedAt !== undefined && loaded.issuedAt !== undefined;
  const later = known ? Date.parse(issuedAt) - Date.parse(loaded.issuedAt) : 0;
  return later < 0 || (later === 0 && sequenceNumber < loaded.sequenceNumber);
}

/** `evidence.anchor.source` of anchors from published trusted lists. */
export const TRUSTED_LIST_SOURCE = "eIDAS";

/** A published list without nextUpdate is closed (TS 119 612 section 5.3.15); one of the operator's own merely does not state it. */
export const isClosed = ({ source, nextUpdate }: { readonly source: string; readonly nextUpdate: string | null }) =>
  nextUpdate === null && source === TRUSTED_LIST_SOURCE;

/**
 * Past its nextUpdate, or closed although it grants something: the last issue has to end each service (section 5.3.15).
 */
export const isStale = (
  list: { readonly source: string; readonly nextUpdate: string | null; readonly granted?: number },
  now: number,
): boolean =>
  list.nextUpdate === null ? isClosed(list) && (list.granted ?? 0) > 0 : Date.parse(list.nextUpdate) < now;
