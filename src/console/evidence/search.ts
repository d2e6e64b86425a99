/** What the page of records is asked for, from the query of its address. Pure. */

import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { LEDGER_EVENTS, type LedgerEvent, NOTHING_ALLOWED } from "../../evidence/ledger/record.ts";
import { NOT_OK, type RecordQuery } from "../../evidence/ledger/record-query.ts";
import { isRecordId } from "../../grants/record-order.ts";
import { isErrorCode } from "../../http/errors/error-response.ts";
import { nextDay, parseDay } from "../../platform/clock.ts";
import { boundedInstant, type Instant } from "../../platform/instant.ts";
import { quoteAlways } from "../../platform/quotation.ts";
import { timeOfRequestId } from "../../platform/secrets.ts";
import { SIGNATURE_PROBLEMS } from "../../psp-check/signed-request/problems.ts";
import { MIN_SOUGHT_CHARACTERS } from "../../registers/search.ts";
import { readPosition } from "../list-file.tsx";
import { isZone, startOfDay, UTC } from "./local-days.ts";

/** What of an address is the search: kept when the list goes on. */
export const SEARCHED = ["id", "psp", "account", "act", "from", "to", "zone", "outcome"] as const;

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
const SHOWN_CHARACTERS = 60;
const MAX_ACCOUNT_CHARACTERS = 256;

const refuse = (problem: string): Search => ({ ok: false, problem });
const shown = (text: string): string => quoteAlways(text, SHOWN_CHARACTERS);

const isEvent = (text: string): text is LedgerEvent => (LEDGER_EVENTS as readonly string[]).includes(text);
const isOutcome = (text: string): boolean =>
  ["", "ok", NOTHING_ALLOWED, NOT_OK].includes(text) || isErrorCode(text) || Object.hasOwn(SIGNATURE_PROBLEMS, text);

/** Without any parameter: all records. */
export function readSearch(given: Readonly<Record<string, string>>): Search {
  const { id = "", psp = "", account = "", act = "", outcome = "", before } = given;
  const name = id.trim();
  if (isRecordId(name)) return { ok: true, by: "record", id: name };
  const requestId = name.toLowerCase();
  if (name !== "" && !REQUEST_ID.test(requestId))
    return refuse(`${shown(name)} is neither an evidence id nor a request id.`);
  const days = readDays(given);
  if (typeof days === "string") return refuse(days);
  if (!isOutcome(outcome)) return refuse(`${shown(outcome)} is no outcome.`);
  if (act !== "" && !isEvent(act)) return refuse(`${shown(act)} is no kind of act.`);
  if (account.length > MAX_ACCOUNT_CHARACTERS) return refuse("An account's id is not that long.");
  const sought = psp.trim();
  const number = sought === "" ? null : parseAuthorisationNumber(sought);
  const isName = number?.ok === false && number.reason !== "too-long";
  if (number?.ok === false && !isName)
    return refuse(`${shown(psp)} is not a PSD2 authorisation number: ${number.message}.`);
  if (isName && sought.length < MIN_SOUGHT_CHARACTERS)
    return refuse(`${shown(psp)} is too short: give at least ${MIN_SOUGHT_CHARACTERS} letters of a PSP's name.`);
  // a record is never before its request
  const arrived = boundedInstant(timeOfRequestId(requestId) ?? Number.NaN);
  return {
    ok: true,
    by: "list",
    query: {
      ...{ from: arrived === null ? days.from : Math.max(days.from ?? arrived, arrived), to: days.to },
      ...{ psp: number?.ok ? number.pspId : null, endpoint: null, event: isEvent(act) ? act : null },
      ...{ outcome: outcome || null, requestId: requestId || null, account: null, before: readPosition(before) },
    },
    name: isName ? sought : null,
    // an account's id is the bank's own: blanks around it may be part of it
    accountId: account || null,
    soonest: arrived === null || readPosition(before) !== null ? null : arrived + SOON_MS,
  };
}

/** A text is the problem. */
function readDays(given: Readonly<Record<string, string>>): Pick<RecordQuery, "from" | "to"> | string {
  const { from = "", to = "", zone = UTC } = given;
  const [first, last] = [parseDay(from), parseDay(to)];
  if (from !== "" && first === null) return `${shown(from)} is not a day such as 2026-11-22.`;
  if (to !== "" && last === null) return `${shown(to)} is not a day such as 2026-11-22.`;
  if (first !== null && last !== null && first > last) return "The first day is after the last one.";
  if (!isZone(zone)) return `${shown(zone)} is no time zone of this list.`;
  return {
    from: first === null ? null : startOfDay(first, zone),
    to: last === null ? null : startOfDay(nextDay(last), zone),
  };
}
