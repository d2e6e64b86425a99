/**
 * The catalogue of errors: code -> status, title and the condition under which it is answered. The interface names two
 * codes (`payment_service_invalid`, and OAuth's `invalid_scope` inside a redirect record); the others are ours, and stable.
 */

export type Status = 400 | 401 | 403 | 404 | 405 | 429 | 500 | 503;

export interface CatalogueEntry {
  readonly status: Status;
  readonly title: string;
  /** When it is answered, and what the caller can do: the text of the error reference page. */
  readonly condition: string;
}

/** Parameters of bodies, paths, queries and headers: each has a `<name>_missing` and a `<name>_invalid` code. */
export const PARAMETERS = [
  "account_id",
  "amount",
  "auth_code",
  "client_request_query_parameters",
  "code",
  "consent_id",
  "content_type",
  "creditor_account",
  "currency",
  "cursor",
  "data",
  "debtor_account",
  "eIDAS",
  "eidas",
  "end_to_end_identification",
  "expiration_date_time",
  "grant_type",
  "identification",
  "initiation",
  "instructed_amount",
  "instruction_identification",
  "jurisdiction",
  "limit",
  "name",
  "permissions",
  "psu_account_id",
  "redirect_uri",
  "reference",
  "remittance_information",
  "response_type",
  "scheme_name",
  "scope",
  "state",
  "token",
  "transaction_from_date_time",
  "transaction_to_date_time",
  "unstructured",
  "version",
] as const;
export type Parameter = (typeof PARAMETERS)[number];

const entry = (status: CatalogueEntry["status"], title: string, condition: string): CatalogueEntry => ({
  status,
  title,
  condition,
});

const CODES = {
  credentials_missing: entry(
    401,
    "Authorization header with Basic credentials is missing",
    "The request has no Authorization header, or not one of the Basic scheme (RFC 7617).",
  ),
  credentials_invalid: entry(
    401,
    "Credentials are not valid",
    "The client id is unknown, the secret is wrong, or the financial institution is disabled.",
  ),
  fi_reference_id_missing: entry(401, "Header fi_reference_id is missing", "The header is absent or empty."),
  fi_reference_id_invalid: entry(
    401,
    "fi_reference_id is not one that these credentials speak for",
    "The header does not hold the NCA reference of a financial institution that the credentials belong to.",
  ),
  certificate_missing: entry(
    401,
    "Header eidas is missing",
    "The endpoint authenticates the PSP by its eIDAS certificate.",
  ),
  certificate_unreadable: entry(
    401,
    "The eIDAS certificate cannot be read",
    "The header is not a base64-encoded X.509 certificate; the title says what it is instead.",
  ),
  certificate_authorisation_number_missing: entry(
    401,
    "The eIDAS certificate names no PSP",
    "The certificate's subject has no PSD2 authorisation number in its organizationIdentifier (ETSI TS 119 495 section 5.2.1).",
  ),
  qtsp_invalid: entry(
    401,
    "The certificate's issuer is not an approved QTSP",
    "The certificate's path does not end at a CA/QC service that a trusted list granted when it was issued and grants now.",
  ),
  signature_invalid: entry(
    401,
    "The certificate's signature does not verify",
    "A signature on the certificate's path does not verify, or a certificate on the path is expired.",
  ),
  certificate_revoked: entry(
    401,
    "The certificate is revoked, or may be",
    "A certificate on the path is revoked, or neither OCSP nor a CRL could say that it is not.",
  ),
  certificate_expired: entry(401, "The certificate is expired or not yet valid", "Now is outside its validity period."),
  ccg_token_missing: entry(401, "Header ccg_token is missing", "Open-banking endpoints need a CCG token."),
  ccg_token_invalid: entry(
    401,
    "ccg_token is not valid",
    "It was not issued by this service to this financial institution, or was altered.",
  ),
  ccg_token_expired: entry(401, "ccg_token is expired", "Obtain a new one from POST /v1/obie/ccg_tokens."),
  payment_service_invalid: entry(
    403,
    "The PSP may not use the requested scope",
    "The certificate lacks the role, or the home register does not give the PSP the payment service: 7 for payments, 8 for accounts.",
  ),
  code_unknown: entry(
    403,
    "The authorization code is unknown",
    "No such code was issued to this PSP at this financial institution in this flow, or it is long gone.",
  ),
  code_used: entry(
    403,
    "The authorization code was used before",
    "A code works once. The token that it gave is revoked, as RFC 6749 section 4.1.2 asks for.",
  ),
  code_expired: entry(403, "The authorization code is expired", "A code lives 60 seconds."),
  redirect_uri_mismatch: entry(
    403,
    "The authorization code was issued for another redirect_uri",
    "The redirect_uri must be the one of the code's own request, letter for letter. The code is not consumed.",
  ),
  account_id_mismatch: entry(
    403,
    "The authorization code was issued for another account_id",
    "The account_id must be the one of the code's own request. The code is not consumed.",
  ),
  consent_denied: entry(
    403,
    "The consent does not allow this",
    "No such consent of this PSP, or it is revoked, expired, or not of the kind that the scope needs.",
  ),
  token_not_found: entry(404, "No such token", "The token is unknown to this financial institution."),
  consent_not_found: entry(404, "No such consent", "It is unknown to this PSP, revoked, or past its expiration."),
  path_not_found: entry(404, "No such path", "The interface has no endpoint at this path."),
  path_malformed: entry(404, "The path is malformed", "A part of the path is not percent-encoded UTF-8."),
  method_not_allowed: entry(405, "Method not allowed", "The Allow header lists the methods that the path has."),
  body_malformed: entry(400, "The body is not a JSON object", "It is truncated, not JSON, or not an object."),
  body_too_large: entry(400, "The body is larger than 64 KiB", "Send less."),
  rate_limit_exceeded: entry(
    429,
    "Too many requests from this address",
    "More than 15,000 requests in 5 minutes from one source IP. Retry-After says when to try again.",
  ),
  internal_error: entry(500, "Internal error", "A fault of this service. The id finds it in the service's log."),
  temporarily_unavailable: entry(
    503,
    "Temporarily unavailable",
    "A store could not be reached; nothing was changed, or what was begun is dead. Try again.",
  ),
  consent_of_another_account: entry(
    403,
    "The consent is for another account",
    "The first authorization of a consent fixes the PSU account. A code for another account needs a new consent.",
  ),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof CODES | `${Parameter}_missing` | `${Parameter}_invalid`;

const parameterEntries = PARAMETERS.flatMap((name): [ErrorCode, CatalogueEntry][] => [
  [
    `${name}_missing`,
    entry(400, `${name} is missing`, `The parameter is absent or null. 404 where the endpoint has no 400.`),
  ],
  [
    `${name}_invalid`,
    entry(
      400,
      `${name} is not valid`,
      `The title says what is wrong with the value. 404 where the endpoint has no 400.`,
    ),
  ],
]);

/** Every code, in the order of the error reference page. */
export const CATALOGUE: ReadonlyMap<ErrorCode, CatalogueEntry> = new Map<ErrorCode, CatalogueEntry>([
  ...(Object.entries(CODES) as [ErrorCode, CatalogueEntry][]),
  ...parameterEntries,
]);
