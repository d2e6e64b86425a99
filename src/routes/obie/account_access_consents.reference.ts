/** Account access consents. */
import { at, CONSENT, DATA, DATE_TIME } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { accountAccessConsent, accountAccessConsentLatest } from "./account_access_consents.answer.ts";
import { body } from "./account_access_consents.ts";

const OPEN_END = `Null, an empty string or no member at all: open ended. Else it is ${DATE_TIME}`;

export const ACCOUNT_ACCESS_CONSENTS: Resource = {
  operations: {
    "POST /v1/obie/account_access_consents": {
      id: "createAccountAccessConsent",
      tag: "Open-banking flow",
      summary: "Create an account access consent",
      description:
        "Creates a consent: what the PSP wants to read, before the customer has seen it. The operator may limit how long a consent lives; then an expiration beyond that is cut.",
      psp: "ccg_token",
      body: "AccountAccessConsentRequest",
      answers: ["AccountAccessConsent", "AccountAccessConsentLatest"],
      refuses: { 403: ["payment_service_invalid"] },
      success: "The consent, which awaits the customer.",
    },
    "GET /v1/obie/account_access_consents/{consent_id}": {
      id: "getAccountAccessConsent",
      tag: "Open-banking flow",
      summary: "Get an account access consent",
      description:
        "Gives a consent to the PSP that created it, until the consent is deleted or withdrawn. One that has expired is `consent_expired` to that PSP, and not found by another.",
      psp: "ccg_token",
      answers: ["AccountAccessConsent"],
      refuses: { 403: ["payment_service_invalid"], 404: ["consent_not_found", "consent_expired"] },
      success: "The consent.",
    },
    "DELETE /v1/obie/account_access_consents/{consent_id}": {
      id: "deleteAccountAccessConsent",
      tag: "Open-banking flow",
      summary: "Delete an account access consent",
      description:
        "Deletes a consent that the PSP gives up, and revokes its tokens. When the customer withdraws, the bank ends the permission instead.",
      psp: "ccg_token",
      answers: [],
      refuses: { 403: ["payment_service_invalid"], 404: ["consent_not_found", "consent_expired"] },
      success: "The consent is deleted, and its tokens are revoked.",
    },
  },
  requests: {
    AccountAccessConsentRequest: body({ now: () => 0 }),
  },
  answers: {
    AccountAccessConsent: accountAccessConsent,
    AccountAccessConsentLatest: accountAccessConsentLatest,
  },
  texts: {
    AccountAccessConsentRequest: {
      data: "The consent.",
      "data.permissions": "What the PSP wants to read: words of UK Open Banking, each once.",
      "data.expiration_date_time": `When the consent ends: in the future. ${OPEN_END}`,
      "data.transaction_from_date_time": `The first instant of which transactions may be read. ${OPEN_END}`,
      "data.transaction_to_date_time": `The last one; not before the first. ${OPEN_END}`,
    },
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
  },
};
