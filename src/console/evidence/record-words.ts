/** A record of the ledger in words: what was asked, what was answered, what was found of each certificate. Pure. */

import type { Validity } from "../../eidas/validity.ts";
import type { CheckedCertificate, LedgerEvent, LedgerRecord } from "../../evidence/ledger/record.ts";
import { CATALOGUE, isErrorCode } from "../../http/errors/errors.ts";
import type { Scope } from "../../registers/entitlement.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import { REMEDIES } from "../remedies.ts";
import { describeDone, describeWay, isForm, nameWithdrawal } from "./done-words.ts";

/** What an endpoint was asked for. */
const EVENT_WORDS: Readonly<Record<LedgerEvent, string>> = {
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
};

/** What an outcome means; null for `ok`. */
export function explainOutcome(outcome: string): string | null {
  if (outcome === "ok") return null;
  return (isErrorCode(outcome) && CATALOGUE.get(outcome)?.title) || outcome;
}

/** What is done about a refusal, as the error reference says; null where nothing was refused. */
export const findCure = ({ outcome }: LedgerRecord): string | null =>
  isErrorCode(outcome) ? REMEDIES[outcome].cure : null;

/** What was asked for, of one record. */
export const nameRecord = (record: LedgerRecord): string => nameWithdrawal(record) ?? EVENT_WORDS[record.event];

/** The answer to the request, in a sentence. */
export function describeAnswer(record: LedgerRecord): string {
  const { status, outcome, event } = record;
  const meaning = explainOutcome(outcome);
  // of a form it is that of the page that follows, which tells people nothing
  const how = isForm(record) ? describeWay(record) : `with status ${status}`;
  if (meaning === null)
    return describeDone(record) ?? `It was ${isForm(record) ? "done" : "answered"} ${how}, as asked.`;
  if (status < 400 && (event === "psp.checked" || event === "psps.checked"))
    return `It was answered ${how}; what was found first: ${endSentence(meaning)}`;
  // a store that gave no answer may have done what it was asked for
  return outcome === "temporarily_unavailable"
    ? `It failed with status ${status}: ${endSentence(meaning)} What was asked for may have been done nevertheless.`
    : `It was refused with status ${status}: ${endSentence(meaning)}`;
}

const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

interface VerdictWords {
  readonly field: keyof Validity;
  readonly name: string;
  readonly good: boolean;
  readonly sentence: string;
}

const VERDICTS: readonly (readonly [keyof Validity, name: string, yes: string, no: string])[] = [
  [
    "validQTSP",
    "Issuer approved",
    "A qualified service of a trusted list issued it.",
    "No path led from it to a qualified service of a trusted list.",
  ],
  [
    "validSignature",
    "Genuine",
    "Every signature on the path was right.",
    "No path whose signatures, rules and periods were all right led from it to a trusted list.",
  ],
  [
    "notRevoked",
    "Not revoked",
    "It was not revoked.",
    "It or one of its issuers was revoked, or nobody could say whether it was.",
  ],
  ["notExpired", "In its period", "It was within its period.", "It was not within its period."],
];

export const describeVerdicts = ({ verdicts }: CheckedCertificate): VerdictWords[] =>
  VERDICTS.map(([field, name, yes, no]) => {
    const good = !verdicts.includes(field);
    return { field, name, good, sentence: good ? yes : no };
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

/** Why not, as a kept answer says: the warnings about a false verdict, whatever its version; of a scope with `latest` only. */
export interface KeptReasons {
  readonly ofVerdict: (field: keyof Validity) => readonly string[];
  readonly ofScope: (scope: Scope) => readonly string[];
}

/** Sentences about a verdict begin with its name. */
const VERDICT_NAME = /^(?:validQTSP|validSignature|notRevoked|notExpired): /;

/** Of any other text: no reasons. */
export function readReasons(answer: unknown): KeptReasons {
  const { eIDAS, decision } = Object(answer) as {
    readonly eIDAS?: { readonly warning?: readonly string[] };
    readonly decision?: Readonly<Record<Scope, { readonly reasons: readonly { readonly message: string }[] }>>;
  };
  return {
    ofVerdict: (field) =>
      (eIDAS?.warning ?? []).flatMap((text) => (text.startsWith(`${field}: `) ? [text.slice(field.length + 2)] : [])),
    ofScope: (scope) =>
      (decision?.[scope].reasons ?? []).flatMap(({ message }) => (VERDICT_NAME.test(message) ? [] : [message])),
  };
}
