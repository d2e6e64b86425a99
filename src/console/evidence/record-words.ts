/** A record of the ledger in words: what was asked, what was answered, what was found of each certificate. Pure. */

import type { Validity } from "../../eidas/validity.ts";
import { CATALOGUE, isErrorCode } from "../../error-catalogue.ts";
import type { CheckedCertificate, LedgerEvent, LedgerRecord } from "../../ledger/record.ts";
import type { Scope } from "../../registers/entitlement.ts";
import { longCountryName } from "../check/jurisdictions.ts";

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
};

/** What an outcome means; null for `ok`. */
export function explainOutcome(outcome: string): string | null {
  if (outcome === "ok") return null;
  return (isErrorCode(outcome) && CATALOGUE.get(outcome)?.title) || outcome;
}

/** The answer to the request, in a sentence. */
export function describeAnswer({ status, outcome, event }: LedgerRecord): string {
  const meaning = explainOutcome(outcome);
  if (meaning === null) return `It was answered with status ${status}, as asked.`;
  return status < 300 && (event === "psp.checked" || event === "psps.checked")
    ? `It was answered with status ${status}; what was found first: ${endSentence(meaning)}`
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
      return { allowed, sentence: `It was ${allowed ? "" : "not "}allowed to ${deed} ${where}.` };
    }),
  );

/** Why not, as the kept answer of version `latest` says; empty of any other. */
export function listReasons(answer: unknown): string[] {
  const { decision } = Object(answer) as { readonly decision?: Readonly<Record<string, unknown>> };
  const reasons = DEEDS.flatMap(([scope]) => {
    const { reasons: given } = Object(decision?.[scope]) as { readonly reasons?: unknown };
    return Array.isArray(given) ? given : [];
  });
  return [...new Set(reasons.flatMap(({ message }) => (typeof message === "string" ? [message] : [])))];
}
