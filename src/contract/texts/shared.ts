/** Texts of fields that several schemas have. */
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
export const DATA = "The record itself.";
export const ERRORS = {
  errors: "All that is wrong with the request, in the order of the checks; the first decides the status.",
  "errors[].id": "The id of the request, as in the header x-request-id and in the service's log.",
  "errors[].code": "What is wrong, for programs. Codes are stable.",
  "errors[].title": "What is wrong, for people: it names the parameter and says what is expected.",
  "errors[].link": "The code's entry in the error reference: rule, usual cause, cure.",
} as const;
