/** Errors of the parameters of a payment order: the names (in snake case) and lengths of UK Open Banking. */
import type { Entries } from "./entry.ts";

export const PAYMENT_PARAMETERS = {
  initiation_missing: { statuses: [400], title: "data.initiation is missing" },
  initiation_invalid: { statuses: [400], title: "data.initiation is not an object" },
  instruction_identification_missing: { statuses: [400], title: "instruction_identification is missing" },
  instruction_identification_invalid: { statuses: [400], title: "instruction_identification is not valid" },
  end_to_end_identification_missing: { statuses: [400], title: "end_to_end_identification is missing" },
  end_to_end_identification_invalid: { statuses: [400], title: "end_to_end_identification is not valid" },
  instructed_amount_missing: { statuses: [400], title: "instructed_amount is missing" },
  instructed_amount_invalid: { statuses: [400], title: "instructed_amount is not an object" },
  amount_missing: { statuses: [400], title: "amount is missing" },
  amount_invalid: { statuses: [400], title: "amount is not valid" },
  currency_missing: { statuses: [400], title: "currency is missing" },
  currency_invalid: { statuses: [400], title: "currency is not a currency of ISO 4217" },
  remittance_information_invalid: { statuses: [400], title: "remittance_information is not an object" },
  unstructured_invalid: { statuses: [400], title: "remittance_information.unstructured is not valid" },
  reference_invalid: { statuses: [400], title: "remittance_information.reference is not valid" },
} as const satisfies Entries;
