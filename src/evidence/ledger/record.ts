/**
 * A record of the ledger: what one answer to an institution was, and what it was based on. It has no token, code, secret or
 * certificate, and an account only as a tag that nobody can trace once the account's key is gone (account-tag.ts).
 */
import type { VerdictName } from "../../eidas/verdicts.ts";
import type { DecidedBy, Ended } from "../../grants/permission.ts";
import type { BankPassports } from "../../institutions/financial-institutions.ts";
import type { Scope } from "../../registers/entitlement.ts";

/** What an endpoint does, in the terms of the interface. */
export const LEDGER_EVENTS = [
  "psp.checked",
  "psps.checked",
  "code.issue",
  "code.redemption",
  "ccg_token.issue",
  "token.deletion",
  "consent.creation",
  "consent.revocation",
  "block.change",
  "watch.change",
  // of people, and of what is not asked by the API:
  "session.start",
  "session.end",
  "act.refused",
  "permission.search",
  "event.acknowledgement",
  "evidence.export",
  "credential.rotation",
  "institution.change",
  "webhook.change",
  "sign_in.change",
  "person.erasure",
  "account.erasure",
] as const;
/** What was not asked of the service by an institution's systems: it is in no count of its traffic. */
export const isActOfPerson = (event: LedgerEvent): boolean =>
  LEDGER_EVENTS.indexOf(event) >= LEDGER_EVENTS.indexOf("session.start");
export type LedgerEvent = (typeof LEDGER_EVENTS)[number];

/** The verdicts on one certificate. */
export interface CheckedCertificate {
  /** SHA-256 of the DER in lower-case hex. */
  readonly certificate: string;
  /** Authorisation number in normal form; null if the certificate has none. */
  readonly psp: string | null;
  /** ISO codes in upper case; empty where the home register alone was read. */
  readonly jurisdictions: readonly string[];
  /** The false ones. */
  readonly verdicts: readonly VerdictName[];
  /** One for each jurisdiction; one for the home country if there is none. */
  readonly decisions: readonly Readonly<Record<Scope, boolean>>[];
  /** SHA-256 of the basis: the document that names everything that the check is based on (psp-check/basis.ts). */
  readonly basis: string;
}

/** What an answer ended. Ids alone, and the first of each: {@link nameEnded} bounds them. */
export interface EndedGrants {
  /** Consents among them: of the open-banking flow the permission is the consent. Of each PSP one comes first. */
  readonly permissions: readonly { readonly id: string; readonly psp: string; readonly scope: Scope }[];
  readonly tokens: readonly string[];
  /** How many more of each there were. */
  readonly more: { readonly permissions: number; readonly tokens: number };
}

/** As the isolate that answered makes it. `null` and empty lists are written: all records of endpoints have the same members. */
export interface LedgerEntry {
  /** The answer's `x-evidence-id`. Ids sort by time. */
  readonly id: string;
  /** ISO 8601 in UTC: the instant at which the request was judged. */
  readonly time: string;
  /** Of the service: src/platform/version.ts. */
  readonly release: string;
  /** `fi_reference_id`. */
  readonly fi: string;
  readonly request_id: string;
  readonly event: LedgerEvent;
  /** Method and path of the row in endpoints.ts, such as `POST /v1/oauth2/tokens`, or of the console's form. */
  readonly endpoint: string;
  /** The header `version`. */
  readonly version: "latest" | "1";
  readonly status: number;
  /** As in the log line: `ok`, or the first error code; of a check that of the first false verdict. */
  readonly outcome: string;
  /** From the request's arrival to the record. */
  readonly ms: number;
  /** Authorisation number in normal form of the PSP that the request is about; null if it is not known. */
  readonly psp: string | null;
  readonly checks: readonly CheckedCertificate[];
  /** Of a PSP check: SHA-256 of the answer's kept form (psp-check/answer.ts); else null. */
  readonly answer: string | null;
  /** Ids of the records in D1 that the answer made or changed. */
  readonly token: string | null;
  readonly consent: string | null;
  /** See account-tag.ts; null if the request is about no account. */
  readonly account: string | null;
  readonly transaction_reference: string | null;
  // the following are absent where they say nothing:
  /** Of checks for a jurisdiction: what the institution had chosen, null if nothing. Absent of earlier releases, too. */
  readonly bank_passports?: BankPassports | null;
  /** Of a grant or of one permission: its scope. Of a block those that are blocked from then on. */
  readonly scopes?: readonly Scope[];
  /** Of a withdrawal or revocation: whose decision it was. */
  readonly by?: DecidedBy;
  readonly ended?: EndedGrants;
  /** Of the console: the client id with which its reader had signed in; of an operator how Access names them. */
  readonly client?: string;
  readonly operator?: string;
  /** Of someone who signed in at the institution's provider: a tag as {@link account} is one (institutions/people.ts). */
  readonly person?: string;
  /** What such an act was about: a person's tag, a client id, the id of a webhook, the status that an institution got. */
  readonly about?: string;
  /** Of a check in the console at another instant than `time`: that instant, ISO 8601 in UTC. */
  readonly as_of?: string;
  /**
   * The institution requires its records, and this one could not be appended at once: what was done is done, and the caller got
   * 503 instead of `status`. Absent where an append without an answer had arrived after all.
   */
  readonly withheld?: true;
}

export interface LedgerRecord extends LedgerEntry {
  /** 1, 2, 3, ... without gaps. */
  readonly seq: number;
  /** SHA-256 of the text of the record before, in lower-case hex; of the first {@link CHAIN_START} (chain.ts). */
  readonly prev: string;
}

/** What of both kinds a record names at most: 14 KB together. */
const MAX_NAMED = 100;

/** What an answer ended, as its record says it. Of each PSP one permission comes first, so that it is found by each. */
export function nameEnded({ permissions, tokens }: Ended): EndedGrants {
  const firsts = new Set(new Map(permissions.toReversed().map((each) => [each.psp, each])).values());
  const inOrder = [...firsts, ...permissions.filter((each) => !firsts.has(each))];
  return {
    permissions: inOrder.slice(0, MAX_NAMED),
    tokens: tokens.slice(0, MAX_NAMED),
    more: {
      permissions: Math.max(0, permissions.length - MAX_NAMED),
      tokens: Math.max(0, tokens.length - MAX_NAMED),
    },
  };
}

/** A segment is closed with so many records, at the latest. */
export const SEGMENT_RECORDS = 4_096;

/** Authorisation numbers that occur in it, without repetition. */
export const pspsOf = ({ psp, checks, ended }: LedgerEntry): string[] =>
  [
    ...new Set([psp, ...checks.map((check) => check.psp), ...(ended?.permissions ?? []).map((each) => each.psp)]),
  ].filter((one) => one !== null);

/** In the place of the outcome `ok` of a check by which nobody was allowed anything: so it is counted and searched for. */
export const NOTHING_ALLOWED = "nothing_allowed";

export const isAllowedNothing = (checks: LedgerRecord["checks"]): boolean =>
  checks.every(({ decisions }) => decisions.every(({ payments, accounts }) => !payments && !accounts));

/**
 * The outcome by what was decided: a check is `ok` when the certificate is, whatever a register says of its PSP. `psp`: of
 * several checks those of this PSP count; null: all.
 */
export function outcomeByDecision({ outcome, event, checks }: LedgerEntry, psp: string | null = null): string {
  const several = event === "psps.checked";
  if (outcome !== "ok" || !(several || event === "psp.checked")) return outcome;
  const own = several && psp !== null ? checks.filter((check) => check.psp === psp) : checks;
  // of several checks each element may have been refused: then there is no decision, and nothing was allowed
  return (own.length > 0 || several) && isAllowedNothing(own) ? NOTHING_ALLOWED : outcome;
}

export interface OutcomeWords {
  /** `warn`: it was answered as asked, but the PSP was allowed nothing. */
  readonly state: "yes" | "warn" | "no";
  readonly words: string;
}

/**
 * The outcome in a few words for people. A check is `ok` when the certificate is: what the PSPs were allowed is said beside
 * it, of several checks as a number of the answers, one for each certificate and jurisdiction.
 */
export function describeOutcome(record: LedgerRecord): OutcomeWords {
  const { outcome, event, checks } = record;
  if (outcome !== "ok") return { state: "no", words: outcome };
  if (outcomeByDecision(record) === NOTHING_ALLOWED) return { state: "warn", words: "ok, nothing allowed" };
  const isCheck = event === "psps.checked" || event === "psp.checked";
  const decisions = isCheck ? checks.flatMap((check) => check.decisions) : [];
  const all = decisions.length;
  const count = (scope: Scope) => decisions.filter((decision) => decision[scope]).length;
  const [payments, accounts] = [count("payments"), count("accounts")];
  if (payments === all && accounts === all) return { state: "yes", words: "ok" };
  if (payments === all && accounts === 0) return { state: "yes", words: "ok, payments only" };
  if (accounts === all && payments === 0) return { state: "yes", words: "ok, accounts only" };
  return { state: "yes", words: `ok, payments ${payments} of ${all}, accounts ${accounts} of ${all}` };
}
