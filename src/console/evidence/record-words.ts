/** A record of the ledger in words: what was asked, what was answered, what was found of each certificate. Pure. */
import { VERDICT_NAMES } from "../../eidas/verdict-codes.ts";
import { VERDICTS, type VerdictName } from "../../eidas/verdicts.ts";
import {
  type CheckedCertificate,
  type LedgerEvent,
  type LedgerRecord,
  NOTHING_ALLOWED,
} from "../../evidence/ledger/record.ts";
import { CONSOLE_FORMS, EVERY_ENDPOINT } from "../../http/endpoints.ts";
import { CATALOGUE, isErrorCode } from "../../http/errors/error-response.ts";
import { nameEndpoint } from "../../http/middleware/ledger.ts";
import { SIGNATURE_PROBLEMS, type SignatureProblemCode } from "../../psp-check/signed-request/problems.ts";
import type { Scope } from "../../registers/entitlement.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import { REMEDIES } from "../remedies.ts";
import { capital, SCOPE_NAMES } from "../wording.ts";
import { findReason, type KeptReasons, NO_REASONS } from "./kept-reasons.ts";

/** What an endpoint was asked for. */
export const EVENT_WORDS: Readonly<Record<LedgerEvent, string>> = {
  "psp.checked": "Check of a PSP",
  "psps.checked": "Check of several certificates",
  "code.issue": "Authorization code",
  "code.redemption": "Access token for a code",
  "ccg_token.issue": "Client credentials token",
  "token.deletion": "Deletion of a token",
  "consent.creation": "Consent",
  "consent.revocation": "End of a consent",
  "block.change": "Block of an account",
  "watch.change": "Watch of a PSP",
  "session.start": "Sign-in to the console",
  "session.end": "Sign-out of the console",
  "act.refused": "Page that was refused",
  "permission.search": "Search for permissions",
  "event.acknowledgement": "Acknowledgement of events",
  "evidence.export": "Export",
  "credential.rotation": "Rotation of a secret",
  "institution.change": "Change of the institution",
  "webhook.change": "Change of a webhook",
  "sign_in.change": "Change of the sign-in",
  "person.erasure": "Erasure of a name",
  "account.erasure": "Erasure of an account's data",
};

/** Of outcomes that are no error of the API. */
const OTHER_OUTCOMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SIGNATURE_PROBLEMS),
  [NOTHING_ALLOWED, "Checked, and nothing allowed"],
  ["role_missing", "The page was not for that role"],
]);

/** What an outcome means, in words: those of the error catalogue, with members of requests as people read them. Null for `ok`. */
export function explainOutcome(outcome: string): string | null {
  if (outcome === "ok") return null;
  const title = isErrorCode(outcome) ? CATALOGUE.get(outcome)?.title : OTHER_OUTCOMES.get(outcome);
  const words = title ?? "a reason of an earlier release";
  return capital(words.replaceAll(/(?<=\w)[_.](?=\w)/g, " "));
}

/** Why a signature is not verified, by the code of the problem: some codes are errors of other requests, too. */
export const explainProblem = (code: string): string =>
  Object.hasOwn(SIGNATURE_PROBLEMS, code)
    ? capital(SIGNATURE_PROBLEMS[code as SignatureProblemCode])
    : (explainOutcome(code) ?? code);

/**
 * What is done about a refusal, as the error reference says; null where nothing was refused, and where the kept answer says
 * why: each of its reasons has what to do beside it. The reference speaks to who has the error's title: a record has none.
 */
export const findCure = ({ outcome }: LedgerRecord, reasons: KeptReasons): string | null =>
  isErrorCode(outcome) && findReason(outcome, reasons) === null
    ? REMEDIES[outcome].cure.replace(/^The title says which\. /, "")
    : null;

/** Of the records of checks: a request that a PSP has signed. */
export const SIGNED_REQUEST = { endpoint: "POST /v1/psp/signatures", words: "Check of a signed request" } as const;

/** Where the event says less. */
const DEEDS_OF_ENDPOINTS: Readonly<Record<string, string>> = {
  [nameEndpoint(CONSOLE_FORMS.webhookAddition)]: "Addition of a webhook",
  [nameEndpoint(CONSOLE_FORMS.webhookRotation)]: "New secret of a webhook",
  [nameEndpoint(CONSOLE_FORMS.webhookRemoval)]: "Removal of a webhook",
  [SIGNED_REQUEST.endpoint]: SIGNED_REQUEST.words,
  [nameEndpoint(CONSOLE_FORMS.endOfSessions)]: "End of somebody's sessions",
};

/** What of a record its name is made of. */
type NamedRecord = Pick<LedgerRecord, "event" | "endpoint" | "consent" | "scopes">;

/** What was asked for, of an endpoint's records. */
export function nameAsked(name: string): string {
  const event = [...EVERY_ENDPOINT, ...Object.values(CONSOLE_FORMS)].find((one) => nameEndpoint(one) === name)?.event;
  return event ? nameRecord({ event, endpoint: name, consent: null }) : "What an earlier release had";
}

/** What was asked for, of one record. */
export const nameRecord = (record: NamedRecord): string =>
  nameWithdrawal(record) ??
  DEEDS_OF_ENDPOINTS[record.endpoint] ??
  (endsBlock(record) ? "End of a block" : endsWatch(record) ? "End of a watch" : EVENT_WORDS[record.event]);

/** By what was asked for; records of the form that once did both say it by the scopes alone. */
const endsBlock = ({ event, endpoint, scopes }: NamedRecord): boolean =>
  event === "block.change" && (/^DELETE |\/unblock$/.test(endpoint) || scopes?.length === 0);

const endsWatch = ({ event, endpoint }: NamedRecord): boolean =>
  event === "watch.change" && /^DELETE |\/unwatch$/.test(endpoint);

/** The answer to the request, in a sentence. `who`: by name, if somebody had signed in. */
export function describeAnswer(
  record: LedgerRecord,
  reasons = NO_REASONS,
  who: string | null = record.client ?? record.operator ?? null,
): string {
  const { status, outcome, event } = record;
  const meaning = findReason(outcome, reasons)?.sentence ?? explainOutcome(outcome);
  const isAct = isForm(record) || isCommand(record);
  const how = describeWay(record, who);
  if (meaning === null) return describeDone(record, who) ?? `It was ${isAct ? "done" : "answered"} ${how}, as asked.`;
  if (status < 400 && (event === "psp.checked" || event === "psps.checked"))
    return `It was answered ${how}; what was found first: ${endSentence(meaning)}`;
  // a store that gave no answer may have done what it was asked for
  return outcome === "temporarily_unavailable"
    ? `It failed: ${endSentence(meaning)} What was asked for may have been done nevertheless.`
    : `It was refused: ${endSentence(meaning)}`;
}

export const endSentence = (text: string): string => `${capital(text)}${/[.!?]$/.test(text) ? "" : "."}`;

interface VerdictWords {
  readonly field: VerdictName;
  readonly name: string;
  readonly good: boolean;
  readonly sentence: string;
}

export const describeVerdicts = ({ verdicts }: CheckedCertificate): VerdictWords[] =>
  VERDICT_NAMES.map((field) => {
    const { name, kept } = VERDICTS[field];
    const good = !verdicts.includes(field);
    return { field, name, good, sentence: good ? kept.good : kept.bad };
  });

interface DecisionWords {
  readonly scope: Scope;
  readonly allowed: boolean;
  readonly sentence: string;
}

const DEEDS: readonly (readonly [Scope, string])[] = [
  ["payments", "initiate payments"],
  ["accounts", "read accounts"],
];

/** For each jurisdiction and scope. */
export const describeDecisions = ({ jurisdictions, decisions }: CheckedCertificate): DecisionWords[] =>
  decisions.flatMap((decision, i) =>
    DEEDS.map(([scope, deed]) => {
      const jurisdiction = jurisdictions[i];
      const where = jurisdiction === undefined ? "in its home country" : `in ${longCountryName(jurisdiction)}`;
      const allowed = decision[scope];
      return { scope, allowed, sentence: `It was ${allowed ? "" : "not "}allowed to ${deed} ${where}.` };
    }),
  );

export const isForm = ({ endpoint }: LedgerRecord): boolean => /^(?:GET|POST) \/console\//.test(endpoint);
/** Of an operator: it is named in the place of a path. */
const isCommand = ({ endpoint, operator }: LedgerRecord): boolean => operator !== undefined && !endpoint.includes("/");

/** Such as `by the API`, `in the console by sandbox-fi`, `by the command fi set`. */
function describeWay(record: LedgerRecord, who: string | null): string {
  if (isCommand(record)) return `by the command ${record.endpoint}`;
  if (!isForm(record)) return "by the API";
  return who === null ? "in the console" : `in the console by ${who}`;
}

/** Of the PSP's own consent, by the open-banking flow; of one permission, or of all of an account, by the bank. */
function kindOf({ event, endpoint, consent }: NamedRecord): "consent" | "permission" | "account" | null {
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
export function nameWithdrawal(record: NamedRecord): string | null {
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

function describeWithdrawal(record: LedgerRecord, kind: keyof typeof WHAT, who: string | null): string {
  const { by = "", ended } = record;
  const done = `${WHAT[kind]}${kind === "consent" ? "" : ` ${describeWay(record, who)}`}${WHY[by] ?? ""}.`;
  // of one permission the record has its id
  if (!ended) return kind === "account" ? `${done} The record does not say which permissions these were.` : done;
  const { permissions, tokens, more } = ended;
  const [ends, dead] = [permissions.length + more.permissions, tokens.length + more.tokens];
  return ends + dead === 0
    ? `${done} Nothing was left that could end.`
    : `${done} It ended ${count(ends, "permission")} and ${count(dead, "token")}.`;
}

/** What was done, of a request that was not refused; null where its event tells it. */
function describeDone(record: LedgerRecord, who: string | null): string | null {
  const kind = kindOf(record);
  if (kind) return describeWithdrawal(record, kind, who);
  const event: string = record.event;
  const { scopes } = record;
  if (event === "block.change" && scopes) {
    const blocked = scopes.map((scope) => SCOPE_NAMES[scope]).join(" and ");
    return `The account was ${blocked === "" ? "freed of its block" : `blocked for ${blocked}`} ${describeWay(record, who)}.`;
  }
  if (event === "evidence.export") return `The list was taken away as a file ${describeWay(record, who)}.`;
  if (event !== "watch.change") return null;
  return `The PSP is ${endsWatch(record) ? "not watched any more" : "watched from then on"}: asked for ${describeWay(record, who)}.`;
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
