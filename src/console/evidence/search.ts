/** What the page of records is asked for, from the query of its address. Pure. */

import { LEDGER_EVENTS, type LedgerEvent, NOTHING_ALLOWED } from "../../evidence/ledger/record.ts";
import { NOT_OK, type RecordQuery } from "../../evidence/ledger/record-query.ts";
import { isRecordId } from "../../grants/record-order.ts";
import { isErrorCode } from "../../http/errors/error-response.ts";
import { boundedInstant, type Instant } from "../../platform/instant.ts";
import { timeOfRequestId } from "../../platform/secrets.ts";
import { SIGNATURE_PROBLEMS } from "../../psp-check/signed-request/problems.ts";
import { MIN_SOUGHT_CHARACTERS } from "../../registers/search.ts";
import { readDays, readPspNumber, refuseText } from "../filters.ts";
import { readPosition } from "../list-file.tsx";
import { isZone, startOfDay, UTC } from "./local-days.ts";
import { SIGNED_REQUEST } from "./record-words.ts";

/** What of an address is the search: kept when the list goes on. */
export const SEARCHED = ["id", "psp", "account", "tag", "act", "from", "to", "zone", "outcome"] as const;

/** In the place of an event: checks of signed requests alone. */
export const SIGNED = "signed_request";

export type Search =
  | { readonly ok: true; readonly by: "record"; readonly id: string }
  | {
      readonly ok: true;
      readonly by: "list";
      readonly query: Omit<RecordQuery, "limit">;
      /** Of the PSP, where its number is still to be found. */
      readonly name: string | null;
      /** Whose tag is still to be found. */
      readonly accountId: string | null;
      /** Before this instant the record is to be looked for first; null: it makes no difference. */
      readonly soonest: Instant | null;
    }
  /** `problem`: a sentence. */
  | { readonly ok: false; readonly problem: string };

const REQUEST_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** So soon after it arrived a request is judged, unless its body comes slowly. */
const SOON_MS = 10_000;
const MAX_ACCOUNT_CHARACTERS = 256;

const isEvent = (text: string): text is LedgerEvent => (LEDGER_EVENTS as readonly string[]).includes(text);
const isOutcome = (text: string): boolean =>
  ["", "ok", NOTHING_ALLOWED, NOT_OK].includes(text) || isErrorCode(text) || Object.hasOwn(SIGNATURE_PROBLEMS, text);

/** Without any parameter: all records. */
export function readSearch(given: Readonly<Record<string, string>>): Search {
  const { id = "", psp = "", account = "", tag = "", act = "", outcome = "", from, to, zone = UTC, before } = given;
  const name = id.trim();
  if (isRecordId(name)) return { ok: true, by: "record", id: name };
  const requestId = name.toLowerCase();
  if (name !== "" && !REQUEST_ID.test(requestId)) return refuseText(name, "is neither an evidence id nor a request id");
  if (!isZone(zone)) return refuseText(zone, "is no time zone of this list");
  const days = readDays(from, to, (day) => startOfDay(day, zone));
  if (!days.ok) return days;
  if (!isOutcome(outcome)) return refuseText(outcome, "is no outcome");
  if (act !== "" && act !== SIGNED && !isEvent(act)) return refuseText(act, "is no kind of act");
  if (account.length > MAX_ACCOUNT_CHARACTERS) return { ok: false, problem: "An account's id is not that long." };
  if (tag !== "" && !/^[0-9a-f]{64}$/.test(tag)) return refuseText(tag, "is no account as records name it");
  const number = readPspNumber(psp);
  if (!number.ok && number.isTooLong) return number;
  const sought = psp.trim();
  if (!number.ok && sought.length < MIN_SOUGHT_CHARACTERS)
    return refuseText(psp, `is too short: give at least ${MIN_SOUGHT_CHARACTERS} letters of a PSP's name`);
  // a record is never before its request
  const arrived = boundedInstant(timeOfRequestId(requestId) ?? Number.NaN);
  return {
    ok: true,
    by: "list",
    query: {
      ...{ from: arrived === null ? days.from : Math.max(days.from ?? arrived, arrived), to: days.to },
      ...{
        psp: number.ok ? number.pspId : null,
        endpoint: act === SIGNED ? SIGNED_REQUEST.endpoint : null,
        event: isEvent(act) ? act : null,
      },
      ...{ outcome: outcome || null, requestId: requestId || null, account: tag || null, before: readPosition(before) },
    },
    name: number.ok ? null : sought,
    // an account's id is the bank's own: blanks around it may be part of it
    accountId: account || null,
    soonest: arrived === null || readPosition(before) !== null ? null : arrived + SOON_MS,
  };
}
