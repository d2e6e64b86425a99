/** What is said of an operation as data, and the schemas that it names: those that the routes validate by. */
import * as z from "zod";
import { ANY_NATIVE } from "../grants/redirect-uri.ts";
import { auditRecord, headComparison, ledgerHead, recordList } from "../http/answers/audit.ts";
import {
  accessToken,
  activeToken,
  ccgToken,
  inactiveToken,
  openBankingAccessToken,
  redirectRecord,
  refusedRedirectRecord,
  tokenInformation,
  tokenInformationLatest,
  tokenList,
  tokenListLatest,
  tokenRecord,
  tokenRecordLatest,
} from "../http/answers/codes-and-tokens.ts";
import {
  accountAccessConsent,
  accountAccessConsentLatest,
  accountBlock,
  paymentOrderConsent,
  paymentOrderConsentList,
  permissionList,
} from "../http/answers/consent.ts";
import { EVENTS, eventList, watchAnswer, watchList } from "../http/answers/event.ts";
import { health, signingKeys, status } from "../http/answers/operation.ts";
import {
  pspCheck,
  pspCheckLatest,
  pspChecks,
  pspChecksLatest,
  signatureCheck,
  signatureCheckLatest,
} from "../http/answers/psp-check.ts";
import type { ErrorCode } from "../http/errors/every-code.ts";
import { HEADER_NAME, HEADER_VALUE } from "../psp-check/signed-request/described-request.ts";
import * as block from "../routes/accounts/block.ts";
import * as events from "../routes/events.ts";
import * as introspection from "../routes/introspect.ts";
import * as coreCodes from "../routes/oauth2/authorization_codes.ts";
import * as coreTokens from "../routes/oauth2/tokens.ts";
import * as accountAccessConsents from "../routes/obie/account_access_consents.ts";
import * as openBankingCodes from "../routes/obie/authorization_codes.ts";
import * as ccgTokens from "../routes/obie/ccg_tokens.ts";
import * as paymentOrderConsents from "../routes/obie/payment_order_consents.ts";
import * as openBankingTokens from "../routes/obie/tokens.ts";
import * as pspChecksRoute from "../routes/psp/checks.ts";
import * as signatures from "../routes/psp/signatures.ts";
import type { HeaderName } from "./headers.ts";

/** Its elements are judged one by one, so the route has no schema of the whole. */
const element = pspChecksRoute.element();
const jurisdictions = element.shape.jurisdictions.pipe(z.array(z.string().regex(/^[A-Za-z]{2}$/)));
const manyChecks = z.object({
  checks: pspChecksRoute.body().shape.checks.pipe(z.array(element.extend({ jurisdictions }))),
});

const headerValue = z.string().regex(HEADER_VALUE);

/** What the route reads by itself. */
const signedRequest = signatures.body().extend({
  headers: z.record(z.string().regex(HEADER_NAME), z.union([headerValue, z.array(headerValue)])),
  jurisdiction: z.string().regex(/^[A-Za-z]{2}$/),
});

/** The bodies that are sent, by their names in the document. Every redirect URI that any configuration takes is valid. */
export const REQUESTS = {
  CoreCodeRequest: coreCodes.body({ native: () => ANY_NATIVE }),
  CoreTokenRequest: coreTokens.body(),
  CcgTokenRequest: ccgTokens.body({ now: () => 0 }),
  OpenBankingCodeRequest: openBankingCodes.body({ native: () => ANY_NATIVE }),
  OpenBankingTokenRequest: openBankingTokens.body(),
  AccountAccessConsentRequest: accountAccessConsents.body({ now: () => 0 }),
  PaymentOrderConsentRequest: paymentOrderConsents.body(),
  PspChecksRequest: manyChecks,
  SignatureCheckRequest: signedRequest,
  IntrospectionRequest: introspection.body(),
  AccountBlockRequest: block.body(),
  WatchRequest: events.body(),
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** The answers, by their names in the document. One that ends in `Latest` is that of version `latest`. */
export const ANSWERS = {
  RedirectRecord: redirectRecord,
  RefusedRedirectRecord: refusedRedirectRecord,
  AccessToken: accessToken,
  TokenRecord: tokenRecord,
  TokenRecordLatest: tokenRecordLatest,
  TokenList: tokenList,
  TokenListLatest: tokenListLatest,
  CcgToken: ccgToken,
  OpenBankingAccessToken: openBankingAccessToken,
  TokenInformation: tokenInformation,
  TokenInformationLatest: tokenInformationLatest,
  AccountAccessConsent: accountAccessConsent,
  AccountAccessConsentLatest: accountAccessConsentLatest,
  PaymentOrderConsent: paymentOrderConsent,
  PaymentOrderConsentList: paymentOrderConsentList,
  PspCheck: pspCheck,
  PspCheckLatest: pspCheckLatest,
  PspChecks: pspChecks,
  PspChecksLatest: pspChecksLatest,
  SignatureCheck: signatureCheck,
  SignatureCheckLatest: signatureCheckLatest,
  ActiveToken: activeToken,
  InactiveToken: inactiveToken,
  PermissionList: permissionList,
  AccountBlock: accountBlock,
  LedgerHead: ledgerHead,
  HeadComparison: headComparison,
  AuditRecordList: recordList,
  AuditRecord: auditRecord,
  EventList: eventList,
  ...EVENTS,
  Watch: watchAnswer,
  WatchList: watchList,
  Health: health,
  Status: status,
  SigningKeys: signingKeys,
} as const satisfies Readonly<Record<string, z.ZodType>>;

type RequestName = keyof typeof REQUESTS;
type AnswerName = keyof typeof ANSWERS;

export interface Operation {
  readonly id: string;
  readonly tag:
    | "Core flow"
    | "Open-banking flow"
    | "PSP check"
    | "Introspection"
    | "Permissions"
    | "Audit"
    | "Events"
    | "Operation";
  /**
   * Who is authenticated besides the bank: the PSP by the header `eidas` or `ccg_token`. `subject`: the certificate is
   * what is asked about; `optional`: it may be sent; `bearer`: a gateway forwards it with the token.
   */
  readonly psp?: "eidas" | "ccg_token" | "subject" | "optional" | "bearer";
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: RequestName;
  /** What the whole body is refused by, if its elements are judged one by one. */
  readonly whole?: z.ZodType;
  /** One for each form; none: the answer has no body, or it is no JSON. */
  readonly answers: readonly AnswerName[];
  /** What the handler refuses besides what it says of its parameters and its caller (error-codes.ts). */
  readonly refuses?: Readonly<Partial<Record<400 | 401 | 403 | 404, readonly ErrorCode[]>>>;
  /** The 403 of an authorization request, which is a redirect record, too. */
  readonly refusedRedirect?: true;
  /** The answer is a document as it was, of any type. */
  readonly bytes?: true;
  /** What the answer says in headers. */
  readonly headers?: readonly HeaderName[];
  /** The answer of a page that is not the last one has the header Link. */
  readonly links?: true;
}
