/** Filters of lists, as addresses have them: what cannot be is told in a sentence. Pure. */
import { parseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { nextDay, parseDay } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import { quoteAlways } from "../platform/quotation.ts";

interface Refused {
  readonly ok: false;
  readonly problem: string;
}

const SHOWN_CHARACTERS = 60;

/** `predicate`: such as `is no outcome`. */
export const refuseText = (text: string, predicate: string): Refused => ({
  ok: false,
  problem: `${quoteAlways(text, SHOWN_CHARACTERS)} ${predicate}.`,
});

/** Nulls: no bound; `to` is exclusive. */
type Days = { readonly ok: true; readonly from: Instant | null; readonly to: Instant | null } | Refused;

/** Two days such as `2026-11-22`, or nothing. `startOf`: when the day begins that begins at this instant in UTC. */
export function readDays(from = "", to = "", startOf = (day: Instant): Instant => day): Days {
  const [first, last] = [parseDay(from), parseDay(to)];
  const wrong = from !== "" && first === null ? from : to !== "" && last === null ? to : null;
  if (wrong !== null) return refuseText(wrong, "is not a day such as 2026-11-22");
  if (first !== null && last !== null && first > last)
    return { ok: false, problem: "The first day is after the last one." };
  const [start, end] = [first && startOf(first), last && startOf(nextDay(last))];
  return { ok: true, from: start, to: end };
}

type PspNumber = { readonly ok: true; readonly pspId: string | null } | (Refused & { readonly isTooLong: boolean });

/** `pspId`: in normal form; null of nothing. */
export function readPspNumber(text = ""): PspNumber {
  const number = parseAuthorisationNumber(text);
  if (number.ok) return number;
  const { reason, message } = number;
  if (reason === "empty") return { ok: true, pspId: null };
  return { ...refuseText(text, `is not a PSD2 authorisation number: ${message}`), isTooLong: reason === "too-long" };
}
