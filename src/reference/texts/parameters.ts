/** The parameters of paths and queries. */
import { DATE_TIME } from "./shared.ts";

export const PATH_TEXTS: Readonly<Record<string, string>> = {
  account_id:
    "The bank's identifier of the customer's account, percent-encoded: 1 to 256 characters, no control characters, not `.` or `..`.",
  token: "The `access_token` of the answer that gave it, unchanged.",
  consent_id: "The `consent_id` of the answer that created the consent.",
  authorisation_number: "The authorisation number of a PSP, in any spelling, percent-encoded.",
  permission_id: "The `id` of a permission in the list of the account.",
  evidence_id: "The `x-evidence-id` of an answer.",
  sha256: "The `sha256` of a document in the record's `evidence`.",
};

/** By operationId and name. */
export const QUERY_TEXTS: Readonly<Record<string, string>> = {
  "listAccountTokens.cursor": "From the address in the header Link of the page before; nothing for the first page.",
  "listPaymentOrderConsents.limit": "How many consents a page has: 1 to 100.",
  "listPaymentOrderConsents.cursor": "The `next_cursor` of the page before; nothing for the first page.",
  "listPaymentOrderConsents.consent_id": "Only this consent: a list of one, or an empty one.",
  "checkPsp.jurisdiction":
    "The country where the bank holds the customer's account: a code of ISO 3166-1 in upper or lower case; EL and UK stand for GR and GB. In the sandbox XX and XY, too.",
  "listAccountPermissions.status": "Only those that are active, or only those that have ended.",
  "listAccountPermissions.cursor": "The `next_cursor` of the page before, for the same account and status.",
  "listWatches.cursor": "The `next_cursor` of the page before; nothing for the first page.",
  "listEvents.after": "The `next_after` of the answer before; nothing for the oldest events that are kept.",
  "listEvents.limit": "How many events an answer has at most: 1 to 100.",
  "withdrawAccountPermissions.by": "Who withdraws: the list shows it in `ended_by`.",
  "withdrawAccountPermission.by": "Who withdraws: the list shows it in `ended_by`.",
  "compareLedgerHead.head": "The kept head: the `jws` of an answer of `GET /v1/audit/head`.",
  "listAuditRecords.from": `Records from this instant on. It is ${DATE_TIME} A \`+\` is sent as \`%2B\`.`,
  "listAuditRecords.to": "Records before this instant, in the form of `from`.",
  "listAuditRecords.psp_id": "Records about this PSP: its authorisation number, in any spelling.",
  "listAuditRecords.endpoint":
    "Records of this endpoint: its method and path, such as `GET /v1/psp/eidas`; or of withdrawals in the console: `POST /console/permissions/withdraw`.",
  "listAuditRecords.cursor": "The `next_cursor` of the page before, for the same parameters.",
  "listAuditRecords.limit": "How many records a page has: 1 to 200.",
};
