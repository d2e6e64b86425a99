/** Where the next page of an institution's events or watches begins, as an answer carries it. Pure. */
import { fromBase64, toBase64Url } from "../platform/encoding.ts";
import { hashSecret } from "../platform/secrets.ts";

type Listing = "events" | "watches";

const CHECK_CHARACTERS = 12;
const CURSOR = /^([A-Za-z0-9_-]{1,400})\.([A-Za-z0-9_-]{12})$/;

/** No secret, only a position; the digest keeps one of another institution or list from leaving out rows silently. */
export const writeListCursor = (listing: Listing, fiId: number, position: string): string =>
  `${toBase64Url(new TextEncoder().encode(position))}.${digestOf(listing, fiId, position)}`;

/** The inverse of {@link writeListCursor}; null for any other text, and for a cursor of another list or institution. */
export function parseListCursor(listing: Listing, fiId: number, text: string): string | null {
  const [, encoded = ""] = CURSOR.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const position = bytes ? new TextDecoder().decode(bytes) : "";
  return position !== "" && text === writeListCursor(listing, fiId, position) ? position : null;
}

const digestOf = (listing: Listing, fiId: number, position: string): string =>
  hashSecret(JSON.stringify([listing, fiId, position])).slice(0, CHECK_CHARACTERS);
