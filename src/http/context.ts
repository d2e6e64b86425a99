/** The variables that the middleware of app.ts sets on a request's context. */
import type { EidasHeader } from "../eidas/eidas-header.ts";
import type { VerdictName } from "../eidas/verdicts.ts";
import type { UnderWay } from "../events/observations.ts";
import type { CheckedCertificate, LedgerEntry } from "../evidence/ledger/record.ts";
import type { Client } from "../grants/client.ts";
import type { DecidedBy, Ended } from "../grants/permission.ts";
import type { CcgGrant } from "../grants/token-texts.ts";
import type { FinancialInstitution } from "../institutions/financial-institutions.ts";
import type { Instant } from "../platform/instant.ts";
import type { Version } from "../platform/version.ts";
import type { ChecksLog } from "../psp-check/many-checks.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";
import type { ReadAhead } from "../psp-check/psp-readings.ts";
import type { Scope } from "../registers/entitlement.ts";
import type { Certificate } from "../x509/certificate.ts";
import type { Endpoint } from "./endpoint.ts";

/** The header `transaction_reference` (http/middleware/request-headers.ts), or what is wrong with it. */
export type TransactionReference =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: string };

/** One certificate of a form of the console. */
export type FormCheck = Pick<LedgerEntry, "id" | "version" | "outcome" | "psp" | "checks" | "answer" | "as_of">;

interface Variables {
  requestId: string;
  /** Of an answer of the API: the header `x-evidence-id`. */
  evidenceId: string;
  /** When the request, with its body, had arrived: the instant at which it is judged. */
  now: Instant;
  /** The header `transaction_reference`, parsed; null without it. */
  reference: TransactionReference | null;
  /** The header `version`. With `1` an answer contains only fields of the interface. */
  version: Version;
  /** The row of the interface's table that matches this request. */
  endpoint: Endpoint;
  fi: FinancialInstitution;
  /** The client id of the caller's credential, once its secret has been verified. */
  clientId: string;
  /** Starts the reads that the request will need. Called by http/middleware/financial-institution.ts, or not at all. */
  readAhead: () => void;
  /** The header `eidas`, once it has been parsed. */
  presented: EidasHeader;
  /** The first certificate of the header `eidas`, if it was parsed before the caller was known. */
  first: Certificate;
  /** The reads that were started for its first certificate (http/middleware/certificate.ts). */
  ahead: ReadAhead;
  /** The observation of its certificate, stored after the response, if that is new to the isolate (events/observations.ts). */
  observation: UnderWay;
  /** The content of the header `ccg_token`, before its FI and its expiry are checked (http/middleware/ccg-token.ts). */
  ccg: { readonly grant: CcgGrant; readonly client: Client };
  /** The PSP, authenticated by its certificate or its CCG token. */
  client: Client;
  /** How an older form spells the names in the titles of errors. */
  spell: (title: string) => string;
  // for the ledger:
  /** The certificates that the request was checked by; of POST /v1/psp/checks, those with a result, in its order. */
  checked: readonly CheckedCertificate[];
  /** The checks themselves: whom the institution has met (events/observations.ts). */
  shown: readonly PspCheck[];
  /** Of a PSP check: SHA-256 of the answer's kept form, in lower-case hex (psp-check/answer.ts). */
  keptAnswer: string;
  /** What the request is about, or has made. Only ids of records: other text of a caller may be a token. */
  concerns: {
    readonly accountId?: string;
    /** Of a watch, the number that the caller gave: not for the log line. */
    readonly psp?: string;
    readonly tokenId?: string;
    readonly consentId?: string | null;
    readonly scopes?: readonly Scope[];
    readonly by?: DecidedBy;
    /** As the record's. */
    readonly about?: string;
    /** What it ended; absent while that is not known. */
    readonly ended?: Ended;
  };
  /** Of a form of the console that checks: what each check's record says of it alone. */
  formChecks: readonly FormCheck[];
  // for the log line only:
  /** Authorisation number of the PSP that the request is about, in normal form. */
  psp: string;
  /** The parameter `jurisdiction`: an ISO code. */
  jurisdiction: string;
  /** Of the certificate that the request was checked by. */
  check: { readonly verdicts: readonly VerdictName[]; readonly decision: Readonly<Record<Scope, boolean>> };
  /** Of POST /v1/psp/checks: see psp-check/many-checks.ts. */
  checks: ChecksLog;
  /** The answer's first error code; of a PSP check, that of the first false verdict. */
  outcome: string;
}

export interface AppEnv {
  Bindings: Env;
  Variables: Variables;
}
