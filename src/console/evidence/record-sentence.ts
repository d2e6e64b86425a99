/** A record in one sentence: who asked what about whom, what was decided, and why. Pure. */
import {
  describeOutcome,
  isAllowedNothing,
  type LedgerRecord,
  outcomeByDecision,
} from "../../evidence/ledger/record.ts";
import type { Scope } from "../../registers/entitlement.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import { describeAbout } from "../people/about.ts";
import type { Names } from "../people/names.ts";
import { findReason } from "./kept-reasons.ts";
import type { KeptCheck } from "./kept-signature.tsx";
import {
  describeVerdicts,
  explainOutcome,
  explainProblem,
  isForm,
  nameRecord,
  SIGNED_REQUEST,
} from "./record-words.ts";

/** What follows who it was. */
function describeAsked(record: LedgerRecord, about: string | null): string {
  const { event, checks } = record;
  const places = [...new Set(checks.flatMap(({ jurisdictions }) => jurisdictions))].map(longCountryName);
  if (record.endpoint === SIGNED_REQUEST.endpoint) return `asked whether ${about ?? "a PSP"} signed a request`;
  if (event === "psp.checked")
    return `asked what ${about ?? "a PSP"} may do${places.length === 0 ? "" : ` in ${places.join(", ")}`}`;
  const name = nameRecord(record);
  return `asked for this: ${name.charAt(0).toLowerCase()}${name.slice(1)}${about === null ? "" : ` (${about})`}`;
}

const DEEDS: Readonly<Record<Scope, string>> = { payments: "initiate payments", accounts: "read accounts" };
const SCOPES = ["payments", "accounts"] as const;

/** `who`: who signed in, as pages name them; null: a system, by the API. */
export function summariseRecord(
  record: LedgerRecord,
  who: string | null,
  kept: KeptCheck,
  names: Names = new Map(),
): string {
  const { psp } = record;
  const about = psp === null ? describeAbout(record, names) : kept.subject === null ? psp : `${kept.subject} (${psp})`;
  const actor = who ?? (isForm(record) ? "Somebody who cannot be named any more" : "The bank's system");
  const told = describeRefusal(record, kept) ?? describeDecision(record, kept) ?? "and it was done";
  return `${actor} ${describeAsked(record, about)}, ${told}.`;
}

const because = (why: string | null | undefined): string => (why ? `: ${why.replace(/\.$/, "")}` : "");

/** Null: it was answered as asked, whatever was found. */
function describeRefusal({ status, outcome }: LedgerRecord, { reasons }: KeptCheck): string | null {
  if (outcome === "temporarily_unavailable")
    return "and a store gave no answer, so that it may have been done nevertheless";
  return status < 400
    ? null
    : `and was refused${because(findReason(outcome, reasons)?.sentence ?? explainOutcome(outcome))}`;
}

/** What was found of one certificate, or of a signature; null of anything else. */
function describeDecision(record: LedgerRecord, { reasons, signature }: KeptCheck): string | null {
  const { event, outcome, checks } = record;
  if (event === "psps.checked")
    return `and was told of ${checks.length} certificates: ${explainOutcome(outcomeByDecision(record)) ?? describeOutcome(record).words}`;
  if (event !== "psp.checked") return null;
  if (record.endpoint === SIGNED_REQUEST.endpoint && (signature !== null || outcome !== "ok")) {
    if (signature?.verified) return "and was told yes";
    return `and was told no${because(explainProblem(signature?.problems[0] ?? outcome))}`;
  }
  const [check] = checks;
  if (!check) return null;
  const allowed = (scope: Scope): boolean => check.decisions.every((decision) => decision[scope]);
  const [yes, no] = [SCOPES.filter(allowed), SCOPES.filter((scope) => !allowed(scope))];
  const broken = describeVerdicts(check).find(({ good }) => !good);
  const [first] = broken ? reasons.ofVerdict(broken.field) : no.flatMap((scope) => reasons.ofScope(scope));
  const why = no.length === 0 ? null : (first?.sentence ?? broken?.sentence);
  if (isAllowedNothing([check]))
    return `and was told that it may neither ${SCOPES.map((scope) => DEEDS[scope]).join(" nor ")}${because(why)}`;
  const may = yes.map((scope) => DEEDS[scope]).join(" and ");
  return `and was told that it may ${may}${no.map((scope) => `, but not ${DEEDS[scope]}`).join("")}${because(why)}`;
}

/** Of the institution's own endpoints: it asks for something of its own, and shows no certificate of a PSP. */
const OWN = /^(?:consent\.revocation|token\.deletion|block\.change|watch\.change)$/;

/** Why a record is based on no document. */
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
