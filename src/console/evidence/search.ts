/** What the page of records is asked for, from the query of its address. Pure. */

import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { NOTHING_ALLOWED } from "../../evidence/ledger/record.ts";
import type { RecordQuery } from "../../evidence/ledger/record-query.ts";
import { isRecordId } from "../../grants/record-order.ts";
import { isErrorCode } from "../../http/errors/error-response.ts";
import { nextDay, parseDay } from "../../platform/clock.ts";
import { boundedInstant, type Instant } from "../../platform/instant.ts";
import { quoteAlways } from "../../platform/quotation.ts";
import { timeOfRequestId } from "../../platform/secrets.ts";
import { readPosition } from "../list-file.tsx";

export type Search =
  | { readonly ok: true; readonly by: "record"; readonly id: string }
  | {
      readonly ok: true;
      readonly by: "list";
      readonly query: Omit<RecordQuery, "limit">;
      /** Before this instant the record is to be looked for first; null: it makes no difference. */
      readonly soonest: Instant | null;
    }
  /** `problem`: a sentence. */
  | { readonly ok: false; readonly problem: string };

const REQUEST_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** So soon after it arrived a request is judged, unless its body comes slowly. */
const SOON_MS = 10_000;
const SHOWN_CHARACTERS = 60;

const refuse = (problem: string): Search => ({ ok: false, problem });
const shown = (text: string): string => quoteAlways(text, SHOWN_CHARACTERS);

/** Without any parameter: all records. */
export function readSearch(given: Readonly<Record<string, string>>): Search {
  const { id = "", psp = "", from = "", to = "", outcome = "", before = "" } = given;
  const name = id.trim();
  if (isRecordId(name)) return { ok: true, by: "record", id: name };
  const requestId = name.toLowerCase();
  if (name !== "" && !REQUEST_ID.test(requestId))
    return refuse(`${shown(name)} is neither an evidence id nor a request id.`);
  const [first, last] = [parseDay(from), parseDay(to)];
  if (from !== "" && first === null) return refuse(`${shown(from)} is not a day such as 2026-11-22.`);
  if (to !== "" && last === null) return refuse(`${shown(to)} is not a day such as 2026-11-22.`);
  if (first !== null && last !== null && first > last) return refuse("The first day is after the last one.");
  if (!["", "ok", NOTHING_ALLOWED].includes(outcome) && !isErrorCode(outcome))
    return refuse(`${shown(outcome)} is no outcome.`);
  const number = psp.trim() === "" ? null : parseAuthorisationNumber(psp);
  if (number?.ok === false) return refuse(`${shown(psp)} is not a PSD2 authorisation number: ${number.message}.`);
  // a record is never before its request
  const arrived = boundedInstant(timeOfRequestId(requestId) ?? Number.NaN);
  return {
    ok: true,
    by: "list",
    query: {
      ...{ from: arrived === null ? first : Math.max(first ?? arrived, arrived), psp: number?.pspId ?? null },
      ...{ to: last === null ? null : nextDay(last), endpoint: null, event: null, outcome: outcome || null },
      ...{ requestId: requestId || null, before: readPosition(before) },
    },
    soonest: arrived === null || before !== "" ? null : arrived + SOON_MS,
  };
}
