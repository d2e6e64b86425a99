/** Fields of the open-banking flow, and of introspection. */
import {
  ACCOUNT_ID,
  at,
  DATA,
  DATE_TIME,
  EXPIRES_IN,
  type FieldTexts,
  NEXT_CURSOR,
  PSP_ID,
  REASONS,
  REDIRECT_URI,
  SCOPE,
  STATE,
  TOKEN_TYPE,
  WARNING_LOST,
} from "./shared.ts";

const OPEN_END = `Null, an empty string or no member at all: open ended. Else it is ${DATE_TIME}`;

const account = (place: string, whose: string, required: string) => ({
  [place]: `${whose} ${required}`,
  [`${place}.scheme_name`]: "The kind of number in `identification`, such as IBAN: at most 40 characters.",
  [`${place}.identification`]: "The account's number: at most 256 characters.",
  [`${place}.name`]: "The name of the account's holder: at most 350 characters.",
});

const initiation = (place: string): FieldTexts => ({
  [place]: "The payment: UK Open Banking's domestic payment initiation in snake case.",
  [`${place}.instruction_identification`]: "The PSP's own id of the instruction: at most 35 characters.",
  [`${place}.end_to_end_identification`]: "An id that travels with the payment to the payee: at most 35 characters.",
  [`${place}.instructed_amount`]: "What is paid.",
  [`${place}.instructed_amount.amount`]:
    "A decimal string above zero, such as 165.88: at most 13 digits before the point, and as many after it as the currency has.",
  [`${place}.instructed_amount.currency`]: "A currency of ISO 4217 in capitals.",
  ...account(`${place}.debtor_account`, "The payer's account.", "Absent: the customer chooses it."),
  ...account(`${place}.creditor_account`, "The payee's account.", "Its name is required."),
  [`${place}.remittance_information`]: "What the payee should know.",
  [`${place}.remittance_information.unstructured`]: "A message: at most 140 characters.",
  [`${place}.remittance_information.reference`]: "The payee's reference: at most 35 characters.",
});

const CONSENT = {
  consent_id: "The id of the consent.",
  status_update_date_time: "When `status` changed last.",
  creation_date_time: "When it was created.",
};
const PAYMENT_ORDER = {
  ...CONSENT,
  status: "`Consumed` once its one token was issued.",
};

export const OPEN_BANKING_REQUESTS: Readonly<Record<string, FieldTexts>> = {
  CcgTokenRequest: {
    eIDAS:
      "The PSP's certificate, in the form of the header `eidas`: base64 of the DER. PEM and the issuers after it are taken, too.",
    scope: SCOPE,
  },
  OpenBankingCodeRequest: {
    consent_id:
      "The consent that the customer authorised: of account access for `accounts`, of a payment order for `payments`. At most 128 characters.",
    psu_account_id: ACCOUNT_ID,
    redirect_uri: REDIRECT_URI,
    scope: `${SCOPE} Any other text is refused by the redirect record (403).`,
    state: STATE,
  },
  OpenBankingTokenRequest: {
    auth_code: "The code of the redirect, within 60 seconds and once: at most 512 characters.",
    redirect_uri: "The same text as in the request for the code.",
  },
  AccountAccessConsentRequest: {
    data: "The consent.",
    "data.permissions": "What the PSP wants to read: words of UK Open Banking, each once.",
    "data.expiration_date_time": `When the consent ends: in the future. ${OPEN_END}`,
    "data.transaction_from_date_time": `The first instant of which transactions may be read. ${OPEN_END}`,
    "data.transaction_to_date_time": `The last one; not before the first. ${OPEN_END}`,
  },
  PaymentOrderConsentRequest: { data: "The consent.", ...initiation("data.initiation") },
  IntrospectionRequest: {
    token: "The token that a PSP has shown, at most 8,192 characters. Other parameters of RFC 7662 are ignored.",
  },
};

export const OPEN_BANKING_ANSWERS: Readonly<Record<string, FieldTexts>> = {
  CcgToken: {
    psp_id: PSP_ID,
    access_token: "Goes into the header `ccg_token` of the requests for this PSP.",
    expires_in: `${EXPIRES_IN} Never longer than the certificate.`,
    token_type: TOKEN_TYPE,
    scope: "The scope that it stands for.",
    payment_service_number: "The payment service of the scope: 7 for `payments`, 8 for `accounts`.",
    active: "Always true.",
    warning: "The PSP does not have the payment service, by its certificate or its home register: it will get no code.",
  },
  OpenBankingAccessToken: {
    data: DATA,
    "data.access_token": "The token that the PSP shows to the bank.",
    "data.expires_in": `${EXPIRES_IN} Never longer than the consent.`,
    "data.token_type": TOKEN_TYPE,
    "data.state": "The state of the request for the code. Absent if it had none.",
  },
  TokenInformation: {
    data: DATA,
    "data.access_token": "The token of the request.",
    "data.expires_in": "Seconds for which it is still valid; 0 if it is not active.",
    "data.token_type": TOKEN_TYPE,
    "data.active": "False if it is expired or revoked, or while its account is blocked for its scope.",
  },
  TokenInformationLatest: { "data.warning": WARNING_LOST },
  AccountAccessConsent: {
    data: DATA,
    ...at("data", CONSENT),
    "data.status": "`AwaitingAuthorisation` until the customer's first authorization, then `Authorised`.",
    "data.permissions": "What the PSP may read, in the order of the request that created the consent.",
    "data.expiration_date_time": "When the consent ends. Absent: open ended.",
    "data.transaction_from_date_time": "The first instant of which transactions may be read. Absent: the earliest.",
    "data.transaction_to_date_time": "The last one. Absent: the latest.",
  },
  AccountAccessConsentLatest: {
    "data.warning":
      "The operator limits how long consents live, so the expiration was cut. Only in the answer that creates it.",
  },
  PaymentOrderConsent: {
    data: DATA,
    ...at("data", PAYMENT_ORDER),
    ...initiation("data.initiation"),
  },
  PaymentOrderConsentList: {
    data: "One page, the one that was created last first.",
    ...at("data[]", PAYMENT_ORDER),
    ...initiation("data[].initiation"),
    next_cursor: NEXT_CURSOR,
  },
  ActiveToken: {
    active: "True: the token may be used.",
    scope: "What it is for: `payments` or `accounts`.",
    client_id: "The same as `psp_id`: a PSP has no other identifier.",
    psp_id: PSP_ID,
    account_id: "The account that it gives access to.",
    consent_id: "Its consent. Absent in the core flow.",
    permissions: "What may be read by its account access consent, in the order of its creation's request.",
    transaction_from_date_time: "The first instant of which transactions may be read. Absent: the earliest.",
    transaction_to_date_time: "The last one. Absent: the latest.",
    iat: "When it was issued: seconds since 1970.",
    exp: "When it expires: seconds since 1970.",
    token_type: TOKEN_TYPE,
    cnf: "What confirms who shows the token (RFC 8705). Absent if no certificate was sent: then nobody looked at one.",
    "cnf.x5t#S256":
      "SHA-256 in base64url of the certificate in `eidas`, which is the token's PSP's. A renewed one of the same PSP is confirmed, too.",
    psp: "The PSP as its home register has it now, and whether it may still use the scope.",
    "psp.legal_name": "Its name in the home register; null if the register has none or cannot be read.",
    "psp.standing": "Its status there for the scope's payment service; null if that documents none, or cannot be read.",
    "psp.decision": "Whether the PSP may use the scope now. The token is active all the same.",
    "psp.decision.allowed": "True exactly if there are no reasons.",
    "psp.decision.reasons": REASONS,
    "psp.decision.reasons[].code": "The reason, for programs.",
    "psp.decision.reasons[].message": "The reason, for people.",
    "psp.decision.reasons[].whose":
      "Who can remove it: the PSP, its QTSP, the national authority, or the operator, whose data is missing or unclear (`source`).",
  },
  InactiveToken: {
    active: "False: expired, revoked, unknown, of another bank, of a blocked account, or shown by another PSP.",
  },
};
