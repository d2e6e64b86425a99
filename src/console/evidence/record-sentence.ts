/** A record in one sentence: who asked what about whom, what was decided, and why. Pure. */
import {
  describeOutcome,
  isAllowedNothing,
  type LedgerEvent,
  type LedgerRecord,
} from "../../evidence/ledger/record.ts";
import type { Scope } from "../../registers/entitlement.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import { findReason } from "./kept-reasons.ts";
import type { KeptCheck } from "./kept-signature.tsx";
import {
  describeVerdicts,
  endsBlock,
  endsWatch,
  explainOutcome,
  explainProblem,
  isForm,
  kindOf,
} from "./record-words.ts";

/** `asked` follows who it was; `done` is said where nothing was refused. */
interface Words {
  readonly asked: (record: LedgerRecord, about: string) => string;
  readonly done: string;
}
const says = (asked: string, done: string): Words => ({ asked: () => asked, done });

const GOT = "and got it";
const DONE = "and it was done";
const WITHDRAWALS = {
  consent: (about: string) => `asked to end a consent of ${about}`,
  permission: (about: string) => `asked to withdraw a permission of ${about}`,
  account: () => "asked to withdraw all permissions of an account",
};

const WORDS: Readonly<Record<LedgerEvent, Words>> = {
  "psp.checked": { asked: askedOfCheck, done: "and was told so" },
  "psps.checked": says("asked what the PSPs of several certificates may do", "and was told so"),
  "code.issue": { asked: (_, about) => `asked for an authorization code for ${about}`, done: GOT },
  "code.redemption": { asked: (_, about) => `asked for an access token for ${about}`, done: GOT },
  "ccg_token.issue": { asked: (_, about) => `asked for a client credentials token for ${about}`, done: GOT },
  "token.deletion": { asked: (_, about) => `asked to delete a token of ${about}`, done: DONE },
  "consent.creation": { asked: (_, about) => `asked to keep a consent for ${about}`, done: DONE },
  "consent.revocation": { asked: (record, about) => WITHDRAWALS[kindOf(record) ?? "account"](about), done: DONE },
  "block.change": {
    asked: (record) => (endsBlock(record) ? "asked to lift the block of an account" : "asked to block an account"),
    done: DONE,
  },
  "watch.change": {
    asked: (record, about) => (endsWatch(record) ? `asked to watch ${about} no more` : `asked to watch ${about}`),
    done: DONE,
  },
  "session.start": says("asked to sign in to the console", DONE),
  "session.end": says("signed out of the console", DONE),
  "act.refused": says("asked for a page that is not for their role", "and did not get it"),
  "permission.search": says("searched for permissions", "and got what there was"),
  "event.acknowledgement": says("acknowledged events", DONE),
  "evidence.export": says("asked for a list as a file", GOT),
  "credential.rotation": says("asked for a new secret", GOT),
  "institution.change": says("asked to change the institution", DONE),
  "webhook.change": says("asked to change a webhook", DONE),
  "sign_in.change": says("asked to change how people sign in", DONE),
  "person.erasure": says("asked to erase a name", DONE),
};

const isOfSignature = ({ endpoint }: LedgerRecord): boolean => endpoint === "POST /v1/psp/signatures";

function askedOfCheck(record: LedgerRecord, about: string): string {
  if (isOfSignature(record)) return `asked whether ${about} signed a request`;
  const places = [...new Set(record.checks.flatMap(({ jurisdictions }) => jurisdictions))].map(longCountryName);
  return `asked what ${about} may do${places.length === 0 ? "" : ` in ${places.join(", ")}`}`;
}

const DEEDS: Readonly<Record<Scope, string>> = { payments: "initiate payments", accounts: "read accounts" };
const SCOPES = ["payments", "accounts"] as const;

/** `who`: who signed in, as pages name them; null: a system, by the API. */
export function summariseRecord(record: LedgerRecord, who: string | null, kept: KeptCheck): string {
  const about = record.psp === null ? "a PSP" : kept.subject === null ? record.psp : `${kept.subject} (${record.psp})`;
  const { asked, done } = WORDS[record.event];
  const told = describeRefusal(record, kept) ?? describeDecision(record, kept) ?? done;
  return `${who ?? (isForm(record) ? "Somebody who cannot be named any more" : "The bank's system")} ${asked(record, about)}, ${told}.`;
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
    return `and was told of ${checks.length} certificates: ${describeOutcome(record).words}`;
  if (event !== "psp.checked") return null;
  if (isOfSignature(record) && (signature !== null || outcome !== "ok")) {
    if (signature?.verified) return "and was told yes";
    return `and was told no${because(explainProblem(signature?.problems[0] ?? "") ?? explainOutcome(outcome))}`;
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
