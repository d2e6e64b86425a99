/**
 * What each operation takes and answers, as data: one row for each row of endpoints.ts. document.ts makes the published
 * document from it. Not a part of the Worker.
 */

import * as access from "../routes/access.ts";
import * as block from "../routes/accounts/block.ts";
import * as permissions from "../routes/accounts/permissions.ts";
import * as audit from "../routes/audit.ts";
import * as events from "../routes/events.ts";
import * as coreTokens from "../routes/oauth2/tokens.ts";
import * as paymentOrderConsents from "../routes/obie/payment_order_consents.ts";
import * as pspChecksRoute from "../routes/psp/checks.ts";

import type { Operation } from "./operation.ts";

const accountPath = block.path();
const CODE_REFUSALS = ["code_unknown", "code_used", "code_expired", "redirect_uri_mismatch"] as const;

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "POST /v1/oauth2/authorization_codes": {
    id: "createCoreAuthorizationCode",
    tag: "Core flow",
    psp: "eidas",
    body: "CoreCodeRequest",
    answers: ["RedirectRecord"],
    refuses: { 403: ["payment_service_invalid", "account_blocked"] },
    refusedRedirect: true,
  },
  "POST /v1/oauth2/tokens": {
    id: "createCoreToken",
    tag: "Core flow",
    psp: "eidas",
    body: "CoreTokenRequest",
    answers: ["AccessToken"],
    refuses: {
      // not with client_credentials
      400: ["account_id_missing"],
      403: [...CODE_REFUSALS, "account_id_mismatch", "consent_denied", "payment_service_invalid"],
    },
  },
  "GET /v1/oauth2/tokens/{token}": {
    id: "getCoreToken",
    tag: "Core flow",
    answers: ["TokenRecord", "TokenRecordLatest"],
    refuses: { 404: ["token_not_found"] },
  },
  "DELETE /v1/oauth2/tokens/{token}": {
    id: "deleteCoreToken",
    tag: "Core flow",
    answers: [],
    refuses: { 404: ["token_not_found"] },
  },
  "GET /v1/oauth2/account/{account_id}/tokens": {
    id: "listAccountTokens",
    tag: "Core flow",
    path: coreTokens.path(),
    query: coreTokens.query(),
    answers: ["TokenList", "TokenListLatest"],
    links: true,
  },
  "POST /v1/obie/ccg_tokens": {
    id: "createCcgToken",
    tag: "Open-banking flow",
    body: "CcgTokenRequest",
    answers: ["CcgToken"],
  },
  "POST /v1/obie/authorization_codes": {
    id: "createOpenBankingAuthorizationCode",
    tag: "Open-banking flow",
    psp: "ccg_token",
    body: "OpenBankingCodeRequest",
    answers: ["RedirectRecord"],
    refuses: {
      403: [
        "payment_service_invalid",
        "consent_denied",
        "consent_expired",
        "consent_of_another_account",
        "account_blocked",
      ],
    },
    refusedRedirect: true,
  },
  "POST /v1/obie/tokens": {
    id: "createOpenBankingToken",
    tag: "Open-banking flow",
    psp: "ccg_token",
    body: "OpenBankingTokenRequest",
    answers: ["OpenBankingAccessToken"],
    refuses: {
      403: [...CODE_REFUSALS, "consent_denied", "consent_expired", "payment_service_invalid"],
    },
  },
  "GET /v1/obie/tokens/{token}": {
    id: "getOpenBankingToken",
    tag: "Open-banking flow",
    psp: "ccg_token",
    answers: ["TokenInformation", "TokenInformationLatest"],
    refuses: { 404: ["token_not_found"] },
  },
  "POST /v1/obie/account_access_consents": {
    id: "createAccountAccessConsent",
    tag: "Open-banking flow",
    psp: "ccg_token",
    body: "AccountAccessConsentRequest",
    answers: ["AccountAccessConsent", "AccountAccessConsentLatest"],
    refuses: { 403: ["payment_service_invalid"] },
  },
  "GET /v1/obie/account_access_consents/{consent_id}": {
    id: "getAccountAccessConsent",
    tag: "Open-banking flow",
    psp: "ccg_token",
    answers: ["AccountAccessConsent"],
    refuses: { 403: ["payment_service_invalid"], 404: ["consent_not_found", "consent_expired"] },
  },
  "DELETE /v1/obie/account_access_consents/{consent_id}": {
    id: "deleteAccountAccessConsent",
    tag: "Open-banking flow",
    psp: "ccg_token",
    answers: [],
    refuses: { 403: ["payment_service_invalid"], 404: ["consent_not_found", "consent_expired"] },
  },
  "POST /v1/obie/payment_order_consents": {
    id: "createPaymentOrderConsent",
    tag: "Open-banking flow",
    psp: "ccg_token",
    body: "PaymentOrderConsentRequest",
    answers: ["PaymentOrderConsent"],
    refuses: { 403: ["payment_service_invalid"] },
  },
  "GET /v1/obie/payment_order_consents": {
    id: "listPaymentOrderConsents",
    tag: "Open-banking flow",
    psp: "ccg_token",
    query: paymentOrderConsents.query(),
    answers: ["PaymentOrderConsentList"],
    refuses: { 403: ["payment_service_invalid"] },
  },
  "GET /v1/obie/payment_order_consents/{consent_id}": {
    id: "getPaymentOrderConsent",
    tag: "Open-banking flow",
    psp: "ccg_token",
    answers: ["PaymentOrderConsent"],
    refuses: { 403: ["payment_service_invalid"], 404: ["consent_not_found"] },
  },
  "GET /v1/psp/eidas": { id: "checkPsp", tag: "PSP check", psp: "subject", answers: ["PspCheck", "PspCheckLatest"] },
  "POST /v1/psp/checks": {
    id: "checkPsps",
    tag: "PSP check",
    body: "PspChecksRequest",
    whole: pspChecksRoute.body(),
    answers: ["PspChecks", "PspChecksLatest"],
  },
  "POST /v1/psp/signatures": {
    id: "checkSignature",
    tag: "PSP check",
    psp: "optional",
    body: "SignatureCheckRequest",
    answers: ["SignatureCheck", "SignatureCheckLatest"],
  },
  "POST /v1/introspect": {
    id: "introspectToken",
    tag: "Introspection",
    psp: "optional",
    body: "IntrospectionRequest",
    answers: ["ActiveToken", "InactiveToken"],
  },
  "GET /v1/access": {
    id: "checkAccess",
    tag: "Introspection",
    psp: "bearer",
    query: access.query(),
    answers: [],
    headers: access.ACCESS_HEADERS,
    refuses: {
      400: ["certificate_missing", "certificate_unreadable"],
      401: ["access_token_missing", "access_token_invalid"],
      403: ["insufficient_scope", "payment_service_invalid"],
    },
  },
  "GET /v1/accounts/{account_id}/permissions": {
    id: "listAccountPermissions",
    tag: "Permissions",
    path: accountPath,
    query: permissions.listQuery(),
    answers: ["PermissionList"],
  },
  "DELETE /v1/accounts/{account_id}/permissions": {
    id: "withdrawAccountPermissions",
    tag: "Permissions",
    path: accountPath,
    query: permissions.withdrawalQuery(),
    answers: [],
    refuses: { 400: ["body_malformed"] },
  },
  "DELETE /v1/accounts/{account_id}/permissions/{permission_id}": {
    id: "withdrawAccountPermission",
    tag: "Permissions",
    path: accountPath,
    query: permissions.withdrawalQuery(),
    answers: [],
    refuses: { 400: ["body_malformed"], 404: ["permission_not_found"] },
  },
  "GET /v1/accounts/{account_id}/block": {
    id: "getAccountBlock",
    tag: "Permissions",
    path: accountPath,
    answers: ["AccountBlock"],
  },
  "PUT /v1/accounts/{account_id}/block": {
    id: "putAccountBlock",
    tag: "Permissions",
    path: accountPath,
    body: "AccountBlockRequest",
    answers: ["AccountBlock"],
  },
  "DELETE /v1/accounts/{account_id}/block": {
    id: "deleteAccountBlock",
    tag: "Permissions",
    path: accountPath,
    answers: [],
    refuses: { 400: ["body_malformed"] },
  },
  "GET /v1/audit/head": { id: "getLedgerHead", tag: "Audit", answers: ["LedgerHead"] },
  "GET /v1/audit/head/comparison": {
    id: "compareLedgerHead",
    tag: "Audit",
    query: audit.comparisonQuery(),
    answers: ["HeadComparison"],
  },
  "GET /v1/audit/records": {
    id: "listAuditRecords",
    tag: "Audit",
    query: audit.listQuery(),
    answers: ["AuditRecordList"],
  },
  "GET /v1/audit/records/{evidence_id}": {
    id: "getAuditRecord",
    tag: "Audit",
    answers: ["AuditRecord"],
    refuses: { 404: ["record_not_found"] },
  },
  "GET /v1/audit/records/{evidence_id}/documents/{sha256}": {
    id: "getAuditDocument",
    tag: "Audit",
    answers: [],
    bytes: true,
    refuses: { 404: ["record_not_found", "document_not_found"] },
  },
  "GET /v1/psp/watches": { id: "listWatches", tag: "Events", query: events.watchQuery(), answers: ["WatchList"] },
  "PUT /v1/psp/watches/{authorisation_number}": {
    id: "putWatch",
    tag: "Events",
    path: events.path(),
    body: "WatchRequest",
    answers: ["Watch"],
    refuses: { 400: ["authorisation_number_invalid"], 403: ["watches_full"] },
  },
  "DELETE /v1/psp/watches/{authorisation_number}": {
    id: "deleteWatch",
    tag: "Events",
    path: events.path(),
    answers: [],
    refuses: { 400: ["authorisation_number_invalid"] },
  },
  "GET /v1/events": { id: "listEvents", tag: "Events", query: events.query(), answers: ["EventList"] },
  "GET /health": { id: "getHealth", tag: "Operation", answers: ["Health"] },
  "GET /status": { id: "getStatus", tag: "Operation", answers: ["Status"] },
  "GET /.well-known/jwks.json": { id: "getSigningKeys", tag: "Operation", answers: ["SigningKeys"] },
};
