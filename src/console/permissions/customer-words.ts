/** A permission in the words of a bank that shows it to its customer. Pure. */
import type { PermissionRecord } from "../../routes/accounts/permissions.answer.ts";
import { writeDay } from "../wording.ts";

export interface CustomerWords {
  /** Such as `Amber Payments Ltd can see`. */
  readonly heading: string;
  readonly data: PermissionRecord["data"];
  /** Sentences: since when, until when, what may be done about it. Instants are ISO 8601. */
  readonly sentences: readonly string[];
}

export function writeForCustomer(record: PermissionRecord): CustomerWords {
  const { scope, psp, status, data, blocked } = record;
  const name = psp.legal_name ?? psp.authorisation_number;
  const ended = status === "ended";
  const verb = scope === "accounts" ? "see" : "pay from your account";
  return {
    heading: `${name} ${ended ? "could" : "can"} ${verb}`,
    data,
    sentences: [
      `You agreed on ${write(record, record.granted_at)}.`,
      ...periodOf(record),
      ...(ended ? [writeEnd(record, name)] : writeOutlook(record, name)),
      ...(blocked && !ended ? [`Your bank has paused this for now: ${name} gets nothing until it goes on.`] : []),
    ],
  };
}

function periodOf({ transaction_from_date_time: from, transaction_to_date_time: to }: PermissionRecord): string[] {
  if (!from && !to) return [];
  const begin = from ? ` from ${writeDay(from)}` : "";
  return [`Of transactions those${begin}${to ? ` up to ${writeDay(to)}` : " on"}.`];
}

const SHORT_MS = 3 * 86_400_000;

/** A day; of what lives no longer than three the instant, which pages write as they do (writeDates). */
function write({ granted_at, valid_until }: PermissionRecord, time: string): string {
  const isShort = valid_until !== null && Date.parse(valid_until) - Date.parse(granted_at) < SHORT_MS;
  return isShort ? time : writeDay(time);
}

function writeOutlook(record: PermissionRecord, name: string): string[] {
  const { scope, valid_until, last_token_at, consent_id } = record;
  const once = scope === "payments" && consent_id !== undefined;
  const end =
    valid_until === null
      ? once
        ? "It is good for this one payment."
        : "It has no end: it goes on until you stop it."
      : `It ends on ${write(record, valid_until)}, or when you stop it.`;
  return [
    end,
    last_token_at === null ? `${name} has not used it yet.` : `Last renewed on ${write(record, last_token_at)}.`,
  ];
}

function writeEnd(record: PermissionRecord, name: string): string {
  const { ended_at, ended_by } = record;
  const when = ended_at === null ? "It has ended" : `It ended on ${write(record, ended_at)}`;
  switch (ended_by) {
    case "customer":
      return `${when}: you stopped it.`;
    case "bank":
      return `${when}: your bank stopped it.`;
    case "psp":
      return `${when}: ${name} gave it up.`;
    case "code_used_twice":
      return `${when}: somebody used ${name}'s code for it a second time. That can be a theft, so it was stopped.`;
    case "authorisation_lost":
      return `${when}: ${name} is not authorised any more.`;
    case "expiry":
    case null:
      return `${when}: its time was over.`;
  }
}
