/** What is said of a list that is loaded. Apart from what reads lists: `status` and the console need no XML for it. */

/** An issue of a list, as it is loaded. */
export interface LoadedIssue {
  readonly sequenceNumber: number;
  /** ISO 8601; absent for a list of lists that an earlier release loaded. */
  readonly issuedAt?: string | undefined;
}

/**
 * A list with a lower sequence number than the loaded one is a replay, unless it is issued later: then the operator
 * corrects a number that was too high. The same number may be issued again, but not from before.
 */
export function isOlder({ sequenceNumber, issuedAt }: LoadedIssue, loaded: LoadedIssue): boolean {
  if (sequenceNumber > loaded.sequenceNumber) return false;
  const known = issuedAt !== undefined && loaded.issuedAt !== undefined;
  const later = known ? Date.parse(issuedAt) - Date.parse(loaded.issuedAt) : 0;
  return later < 0 || (later === 0 && sequenceNumber < loaded.sequenceNumber);
}

/** `evidence.anchor.source` of anchors from published trusted lists. */
export const TRUSTED_LIST_SOURCE = "eIDAS";

/**
 * Whether the list is past its nextUpdate; a closed list (no nextUpdate) never is. `now` is in milliseconds since 1970.
 */
export const isStale = ({ nextUpdate }: { readonly nextUpdate: string | null }, now: number): boolean =>
  nextUpdate !== null && Date.parse(nextUpdate) < now;
