/** What is asked of a ledger's records, and where the next page of them begins. Pure. */
import type { Instant } from "../../platform/instant.ts";
import { digestCursor } from "../../platform/secrets.ts";
import { type LedgerEvent, type LedgerRecord, outcomeByDecision, pspsOf } from "./record.ts";

export interface RecordQuery {
  /** From this instant on; null: from the first record on. */
  readonly from: Instant | null;
  /** Before this instant; null: up to the last record. */
  readonly to: Instant | null;
  /** Authorisation number in normal form, of the PSP, of a certificate that was checked or of a permission that ended. */
  readonly psp: string | null;
  /** Method and path, as the records have it. */
  readonly endpoint: string | null;
  readonly event: LedgerEvent | null;
  /** By the decision: `ok`, `nothing_allowed`, an error code, or {@link NOT_OK}; of several checks that on `psp`, if given. */
  readonly outcome: string | null;
  /** The header `x-request-id` of the answer. No index has it: give a range of time, too, which it says itself. */
  readonly requestId?: string | null;
  /** The account's tag. No index has it. */
  readonly account?: string | null;
  /** Records before this number only: where the previous page ended. */
  readonly before: number | null;
  readonly limit: number;
}

/** Every outcome but `ok`. */
export const NOT_OK = "not_ok";

export function isAsked(record: LedgerRecord, query: Omit<RecordQuery, "before" | "limit">): boolean {
  const { from, to, psp, endpoint, event, outcome, requestId = null, account = null } = query;
  const time = Date.parse(record.time);
  if (from !== null && time < from) return false;
  if (to !== null && time >= to) return false;
  if (endpoint !== null && record.endpoint !== endpoint) return false;
  if (event !== null && record.event !== event) return false;
  if (outcome !== null && !hasOutcome(outcomeByDecision(record, psp), outcome)) return false;
  if (requestId !== null && record.request_id !== requestId) return false;
  if (account !== null && record.account !== account) return false;
  return psp === null || pspsOf(record).includes(psp);
}

const hasOutcome = (outcome: string, asked: string): boolean =>
  asked === NOT_OK ? outcome !== "ok" : outcome === asked;

/** The list that a cursor belongs to. */
export interface RecordListing extends Omit<RecordQuery, "before" | "limit"> {
  readonly fiId: number;
}

/** No secret, only a position; the digest keeps one of another list from leaving out records silently. */
export function writeRecordCursor(listing: RecordListing, before: number): string {
  const { fiId, from, to, psp, endpoint, event, outcome } = listing;
  return `${before}.${digestCursor(fiId, from, to, psp, endpoint, event, outcome, before)}`;
}

/** The inverse of {@link writeRecordCursor}: the number; null for any other text, and for a cursor of another list. */
export function parseRecordCursor(listing: RecordListing, text: string): number | null {
  const before = Number(text.split(".")[0]);
  return Number.isSafeInteger(before) && text === writeRecordCursor(listing, before) ? before : null;
}
