/** Where an institution's next page of events begins, as an answer carries it. Pure. */
import { hashSecret } from "../secrets.ts";

const CHECK_CHARACTERS = 12;
const CURSOR = /^([0-9]{1,15})-([A-Za-z0-9_-]{12})$/;

/** No secret, only a position; the digest keeps one of another institution from leaving out events silently. */
export const writeEventCursor = (fiId: number, seq: number): string => `${seq}-${digestOf(fiId, seq)}`;

/** The inverse of {@link writeEventCursor}; null for any other text, and for a cursor of another institution. */
export function parseEventCursor(fiId: number, text: string): number | null {
  const [, digits, digest] = CURSOR.exec(text) ?? [];
  const seq = Number(digits);
  return digest !== undefined && digest === digestOf(fiId, seq) ? seq : null;
}

const digestOf = (fiId: number, seq: number): string =>
  hashSecret(JSON.stringify(["events", fiId, seq])).slice(0, CHECK_CHARACTERS);
