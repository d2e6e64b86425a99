/** Texts of fields that several schemas have, and codes that several operations refuse. */

/** Texts by path; `""` is the path of the schema itself. */
export type FieldTexts = Readonly<Record<string, string>>;

/** The texts, with a place in front of each path. */
export const at = (place: string, texts: FieldTexts): FieldTexts =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${place}.${path}`, text]));

export const REDIRECT_URI =
  "Where the PSP wants the customer back, as it registered it: an absolute https URI of at most 2,048 characters, without fragment, credentials, and the parameters that this service adds. Compared and returned character by character. The operator may allow URIs of native apps (RFC 8252).";
export const SCOPE =
  "What the PSP asks for: `payments` (payment service 7, payment initiation) or `accounts` (8, account information).";
export const STATE =
  "The PSP's own value against forged requests, at most 2,048 characters; it is returned unchanged. Absent if the PSP sent none.";
export const ACCOUNT_ID =
  "The bank's identifier of the customer's account, never given to another one: 1 to 256 characters without control characters, not `.` or `..`.";
export const EXPIRES_IN = "Seconds for which it is valid from now on.";
export const TOKEN_TYPE = "Always `bearer` (RFC 6750).";
export const PSP_ID =
  "The authorisation number of the PSP in its normal form: `PSD`, the home country, its authority, its reference there.";
export const WARNING_LOST =
  "The token is active, but the PSP's home register does not give it the payment service any more, or could not be read. Only with version `latest`.";
export const NEXT_CURSOR = "The parameter `cursor` of the next page. Absent on the last page.";
export const DATE_TIME =
  "a calendar date, a time of day and an offset from UTC, in the extended or the basic form of ISO 8601: `2030-01-01T00:00:00Z`, `20300101T020000+0200`. The seconds, their fraction of up to nine digits, and the minutes of the offset may be left out; a day that does not exist is refused.";
/** The order of psp-check/decision.ts. */
export const REASONS =
  "Everything that speaks against it: first of the certificate's verdicts, then of its authorisation number, its roles, and the home register.";
export const DATA = "The record itself.";
export const ERRORS = {
  errors:
    "What is wrong with the request; the first decides the status. The first check that fails ends the others; of parameters each is named that is wrong.",
  "errors[].id": "The id of the request, as in the header x-request-id and in the service's log.",
  "errors[].code": "What is wrong, for programs. Codes are stable.",
  "errors[].title": "What is wrong, for people: it names the parameter and says what is expected.",
  "errors[].link": "The code's entry in the error reference: rule, usual cause, cure.",
} as const;

/** Of every consent. */
export const CONSENT = {
  consent_id: "The id of the consent.",
  status_update_date_time: "When `status` changed last.",
  creation_date_time: "When it was created.",
};

/** What an exchange says of its code. */
export const CODE_REFUSALS = ["code_unknown", "code_used", "code_expired", "redirect_uri_mismatch"] as const;
