/** What an institution did, as its record says it: a withdrawal, a block, a watch, by the API or in the console. Pure. */
import type { LedgerRecord } from "../../evidence/ledger/record.ts";

export const isForm = ({ endpoint }: LedgerRecord): boolean => endpoint.startsWith("POST /console/");

/** Such as `by the API`, `in the console by sandbox-fi`. */
export function describeWay(record: LedgerRecord): string {
  if (!isForm(record)) return "by the API";
  const who = record.client ?? record.operator;
  return who === undefined ? "in the console" : `in the console by ${who}`;
}

/** Of the PSP's own consent, by the open-banking flow; of one permission, or of all of an account, by the bank. */
function kindOf({ event, endpoint, consent }: LedgerRecord): "consent" | "permission" | "account" | null {
  if (event !== "consent.revocation") return null;
  if (endpoint.includes(" /v1/obie/")) return "consent";
  return consent !== null || endpoint.endsWith("{permission_id}") ? "permission" : "account";
}

const NAMES = {
  consent: "End of a consent",
  permission: "Withdrawal of a permission",
  account: "Withdrawal of all permissions of an account",
} as const;

/** Null of a record of something else. */
export function nameWithdrawal(record: LedgerRecord): string | null {
  const kind = kindOf(record);
  return kind && NAMES[kind];
}

const WHAT = {
  consent: "The consent was ended by its PSP",
  permission: "The permission was withdrawn",
  account: "All permissions of the account were withdrawn",
} as const;

const WHY: Readonly<Record<string, string>> = {
  customer: ": the customer asked for it",
  bank: ": the bank decided it",
};

function describeWithdrawal(record: LedgerRecord, kind: keyof typeof WHAT): string {
  const { by = "", ended } = record;
  const done = `${WHAT[kind]}${kind === "consent" ? "" : ` ${describeWay(record)}`}${WHY[by] ?? ""}.`;
  // of one permission the record has its id
  if (!ended) return kind === "account" ? `${done} The record does not say which permissions these were.` : done;
  const { permissions, tokens, more } = ended;
  const [ends, dead] = [permissions.length + more.permissions, tokens.length + more.tokens];
  return ends + dead === 0
    ? `${done} Nothing was left that could end.`
    : `${done} It ended ${count(ends, "permission")} and ${count(dead, "token")}.`;
}

const SCOPES: Readonly<Record<string, string>> = { payments: "payments", accounts: "account information" };

/** What was done, of a request that was not refused; null where its event tells it. */
export function describeDone(record: LedgerRecord): string | null {
  const kind = kindOf(record);
  if (kind) return describeWithdrawal(record, kind);
  const event: string = record.event;
  const { scopes } = record;
  if (event === "block.change" && scopes) {
    const blocked = scopes.map((scope) => SCOPES[scope] ?? scope).join(" and ");
    return `The account was ${blocked === "" ? "freed of its block" : `blocked for ${blocked}`} ${describeWay(record)}.`;
  }
  if (event !== "watch.change") return null;
  const ends = /^DELETE |\/unwatch$/.test(record.endpoint);
  return `The PSP is ${ends ? "not watched any more" : "watched from then on"}: asked for ${describeWay(record)}.`;
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** Of the institution's own endpoints: it asks for something of its own, and shows no certificate of a PSP. */
const OWN = /^(?:consent\.revocation|token\.deletion|block\.change|watch\.change)$/;

/** Why a record rests on no document. */
export function explainNoDocument(record: LedgerRecord): string {
  const { event, endpoint, outcome, psp } = record;
  const isOfPsp = endpoint.includes(" /v1/obie/");
  if (OWN.test(event) && !isOfPsp)
    return "On no document: the institution asked for this itself, and no certificate is needed for it.";
  return isOfPsp && psp !== null && !event.startsWith("ccg_token")
    ? "On no document of its own: the PSP showed its certificate when it got its client credentials token."
    : outcome === "ok"
      ? "On no document: no certificate was checked for it."
      : "On no document: the request was refused before a certificate was checked.";
}
