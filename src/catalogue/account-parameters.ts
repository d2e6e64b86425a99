/** Errors of the accounts in a payment order. */
import type { Entries } from "./entry.ts";

export const ACCOUNT_PARAMETERS = {
  creditor_account_missing: { statuses: [400], title: "creditor_account is missing" },
  creditor_account_invalid: { statuses: [400], title: "creditor_account is not an object" },
  debtor_account_invalid: { statuses: [400], title: "debtor_account is not an object" },
  scheme_name_missing: { statuses: [400], title: "scheme_name is missing" },
  scheme_name_invalid: { statuses: [400], title: "scheme_name is not valid" },
  identification_missing: { statuses: [400], title: "identification is missing" },
  identification_invalid: { statuses: [400], title: "identification is not valid" },
  name_missing: { statuses: [400], title: "name is missing" },
  name_invalid: { statuses: [400], title: "name is not valid" },
} as const satisfies Entries;
