/** Payment order consents. */
import { at, CONSENT, DATA, type FieldTexts, NEXT_CURSOR } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { paymentOrderConsent, paymentOrderConsentList } from "./payment_order_consents.answer.ts";
import { body, query } from "./payment_order_consents.ts";

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

const PAYMENT_ORDER = {
  ...CONSENT,
  status: "`Consumed` once its one token was issued.",
};

export const PAYMENT_ORDER_CONSENTS: Resource = {
  operations: {
    "POST /v1/obie/payment_order_consents": {
      id: "createPaymentOrderConsent",
      tag: "Open-banking flow",
      summary: "Create a payment order consent",
      description:
        "Creates a consent to one payment, before the customer has authorised it. The bank executes the payment; this service does not.",
      psp: "ccg_token",
      body: "PaymentOrderConsentRequest",
      answers: ["PaymentOrderConsent"],
      refuses: { 403: ["payment_service_invalid"] },
      success: "The consent, which awaits the customer.",
    },
    "GET /v1/obie/payment_order_consents": {
      id: "listPaymentOrderConsents",
      tag: "Open-banking flow",
      summary: "List payment order consents",
      description: "Lists the payment order consents of the PSP, in pages. The one that was created last comes first.",
      psp: "ccg_token",
      query: query(),
      answers: ["PaymentOrderConsentList"],
      refuses: { 403: ["payment_service_invalid"] },
      success: "A page of consents; an empty list if there are none.",
      parameters: {
        limit: "How many consents a page has: 1 to 100.",
        cursor: "The `next_cursor` of the page before; nothing for the first page.",
        consent_id: "Only this consent: a list of one, or an empty one.",
      },
    },
    "GET /v1/obie/payment_order_consents/{consent_id}": {
      id: "getPaymentOrderConsent",
      tag: "Open-banking flow",
      summary: "Get a payment order consent",
      description: "Gives a payment order consent to the PSP that created it.",
      psp: "ccg_token",
      answers: ["PaymentOrderConsent"],
      refuses: { 403: ["payment_service_invalid"], 404: ["consent_not_found"] },
      success: "The consent.",
    },
  },
  requests: {
    PaymentOrderConsentRequest: body(),
  },
  answers: {
    PaymentOrderConsent: paymentOrderConsent,
    PaymentOrderConsentList: paymentOrderConsentList,
  },
  texts: {
    PaymentOrderConsentRequest: { data: "The consent.", ...initiation("data.initiation") },
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
  },
};
