/** Errors of consent parameters, except those of the payment order, and of query parameters. */
import type { Entries } from "./entry.ts";

export const CONSENT_PARAMETERS = {
  data_missing: { statuses: [400], title: "data is missing" },
  data_invalid: { statuses: [400], title: "data is not an object" },
  permissions_missing: { statuses: [400], title: "permissions is missing" },
  permissions_invalid: { statuses: [400], title: "permissions is not valid" },
  expiration_date_time_invalid: { statuses: [400], title: "expiration_date_time is not valid" },
  transaction_from_date_time_invalid: { statuses: [400], title: "transaction_from_date_time is not valid" },
  transaction_to_date_time_invalid: { statuses: [400], title: "transaction_to_date_time is not valid" },
  jurisdiction_missing: {
    statuses: [404],
    title: "jurisdiction is missing in the query: a two-letter country code such as FI is expected",
  },
  jurisdiction_invalid: { statuses: [404], title: "jurisdiction is not a country" },
  checks_missing: { statuses: [400], title: "checks is missing" },
  checks_invalid: { statuses: [400, 200], title: "checks is not a list of 1 to 50 objects" },
  jurisdictions_missing: { statuses: [200], title: "jurisdictions is missing" },
  jurisdictions_invalid: { statuses: [200], title: "jurisdictions is not a list of 1 to 31 countries" },
  id_invalid: { statuses: [200], title: "id is not a string of at most 128 characters" },
  limit_invalid: { statuses: [400], title: "limit is not a number from 1 to 100" },
  status_invalid: { statuses: [400], title: "status is neither active nor ended" },
  by_invalid: { statuses: [400], title: "by is neither bank nor customer" },
  scopes_missing: { statuses: [400], title: "scopes is missing" },
  scopes_invalid: { statuses: [400], title: "scopes is not a list of scopes" },
  cursor_invalid: { statuses: [400], title: "cursor is not from an earlier answer" },
} as const satisfies Entries;
