/** Instants: their type, and those from outside. */

/** Milliseconds since 1970-01-01 UTC. An instant in seconds, as on the wire, is a `number` whose name or comment says so. */
export type Instant = number;

/** Of the years 0000 to 9999 (RFC 3339 section 5.6). */
const [FIRST, LAST] = [Date.parse("0000-01-01T00:00:00.000Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/**
 * A number or a text of a stranger, a file or a list may name an instant that `Date` cannot hold, or that RFC 3339 cannot
 * write. Whoever makes a date of one reads it here. Null if it is no instant, or lies in no year of four digits.
 */
export const boundedInstant = (milliseconds: number): Instant | null =>
  milliseconds >= FIRST && milliseconds <= LAST ? milliseconds : null;
