/**
 * Instants from outside: of a stranger, a file, a list. A number or a text may name one that `Date` cannot hold, or that RFC 3339
 * cannot write. Whoever makes a date of such a value reads it here.
 */

/** Of the years 0000 to 9999 (RFC 3339 section 5.6), in milliseconds since 1970. */
const [FIRST_MS, LAST_MS] = [Date.parse("0000-01-01T00:00:00.000Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/** The instant itself (milliseconds since 1970); null if it is none, or lies in no year of four digits. */
export const boundedInstant = (milliseconds: number): number | null =>
  milliseconds >= FIRST_MS && milliseconds <= LAST_MS ? milliseconds : null;
