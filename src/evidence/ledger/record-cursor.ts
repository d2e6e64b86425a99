/** Where the next page of a list of records begins, as an answer of the API carries it. Pure. */
import { digestCursor } from "../../platform/secrets.ts";
import type { RecordQuery } from "./record-query.ts";

/** The list that a cursor belongs to. */
export interface RecordListing extends Omit<RecordQuery, "before" | "limit"> {
  readonly fiId: number;
}

/**
 * Opaque to the caller. It is no secret, only a position in a list that the caller may read anyway; the digest keeps it
 * from being used for another list, where it would leave out records silently.
 */
export const writeRecordCursor = (listing: RecordListing, before: number): string =>
  `${before}.${digestOf(listing, before)}`;

/** The inverse of {@link writeRecordCursor}: the number; null for any other text, and for a cursor of another list. */
export function parseRecordCursor(listing: RecordListing, text: string): number | null {
  const before = Number(text.split(".")[0]);
  return Number.isSafeInteger(before) && text === writeRecordCursor(listing, before) ? before : null;
}

const digestOf = ({ fiId, from, to, psp, endpoint, event, outcome }: RecordListing, before: number): string =>
  digestCursor(fiId, from, to, psp, endpoint, event, outcome, before);
