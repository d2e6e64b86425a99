/** Where the next page of an account's permissions begins, as an answer of the API carries it. Pure. */
import { DIGEST_CHARACTERS, digestCursor } from "../platform/secrets.ts";
import type { Account } from "./account-block.ts";
import { isRecordId } from "./record-id.ts";

/** The list that a cursor belongs to. */
export interface PermissionListing extends Account {
  readonly status: "active" | "ended" | null;
}

/**
 * Opaque to the caller. It is no secret, only a position in a list that the caller may read anyway; the digest keeps it
 * from being used for another list, where it would leave out permissions silently.
 */
export const writePermissionCursor = (listing: PermissionListing, id: string): string =>
  `${id}${digestOf(listing, id)}`;

/** The inverse of {@link writePermissionCursor}: the id; null for any other text, and for a cursor of another list. */
export function parsePermissionCursor(listing: PermissionListing, text: string): string | null {
  const id = text.slice(0, -DIGEST_CHARACTERS);
  return isRecordId(id) && text === writePermissionCursor(listing, id) ? id : null;
}

const digestOf = ({ fiId, accountId, status }: PermissionListing, id: string): string =>
  digestCursor(fiId, accountId, status, id);
