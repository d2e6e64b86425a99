/** What each status means. */

/** By status; `redirect` is the 403 of an authorization request. */
export const ERROR_MEANINGS: Readonly<Record<string, string>> = {
  400: "A parameter, a header or the body is missing or malformed.",
  401: "The bank's credentials are not accepted, or the PSP could not be authenticated.",
  403: "The caller is known, and this is not allowed.",
  404: "There is no such record; or a parameter is malformed, where the operation has no 400.",
  405: "The path does not have this method.",
  429: "Too many requests from this address.",
  500: "A defect of the service. Its operator finds the cause by the error's id.",
  503: "A store of the service cannot be reached. The title says whether something was done.",
  redirect: "No code: the redirect address tells the PSP why. Send the customer there.",
};

/** By operationId. */
export const SUCCESS_MEANINGS: Readonly<Record<string, string>> = {
  createCoreAuthorizationCode: "The code, and the address to which the bank sends the customer.",
  createCoreToken: "The access token.",
  getCoreToken: "The record of the token.",
  deleteCoreToken: "The token is revoked.",
  listAccountTokens: "A page of tokens; an empty list if the account has none.",
  createCcgToken: "The CCG token.",
  createOpenBankingAuthorizationCode: "The code, and the address to which the bank sends the customer.",
  createOpenBankingToken: "The access token.",
  getOpenBankingToken: "What is known of the token.",
  createAccountAccessConsent: "The consent, which awaits the customer.",
  getAccountAccessConsent: "The consent.",
  deleteAccountAccessConsent: "The consent is deleted, and its tokens are revoked.",
  createPaymentOrderConsent: "The consent, which awaits the customer.",
  listPaymentOrderConsents: "A page of consents; an empty list if there are none.",
  getPaymentOrderConsent: "The consent.",
  checkPsp: "The result of the check, good or bad.",
  checkPsps: "The results, and the errors of single elements.",
  introspectToken: "What the token allows, or that it is not active.",
  listAccountPermissions: "A page of permissions.",
  withdrawAccountPermissions: "The account has no active permission.",
  withdrawAccountPermission: "The permission has ended.",
  getAccountBlock: "The scopes that are blocked.",
  putAccountBlock: "The block as it is now.",
  deleteAccountBlock: "The account is not blocked.",
  listAuditRecords: "A page of records; an empty list if there are none.",
  getAuditRecord: "The record, and what it rests on.",
  getAuditDocument: "The document's bytes.",
  getHealth: "The service answers: up, or degraded with the reasons.",
  getStatus: "Every source and its age.",
};
