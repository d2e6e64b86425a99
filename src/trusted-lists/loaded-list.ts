/** What is said of a list that is loaded. Apart from what reads lists: `status` and the console need no XML for it. */

/** `evidence.anchor.source` of anchors from published trusted lists. */
export const TRUSTED_LIST_SOURCE = "eIDAS";

/**
 * Whether the list is past its nextUpdate; a closed list (no nextUpdate) never is. `now` is in milliseconds since 1970.
 */
export const isStale = ({ nextUpdate }: { readonly nextUpdate: string | null }, now: number): boolean =>
  nextUpdate !== null && Date.parse(nextUpdate) < now;
