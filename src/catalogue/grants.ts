/** Errors of authorization codes, tokens and consents. */
import type { Entries } from "./entry.ts";

export const GRANTS = {
  code_unknown: { statuses: [403], title: "The authorization code is unknown" },
  code_used: { statuses: [403], title: "The authorization code was used before" },
  code_expired: { statuses: [403], title: "The authorization code is expired" },
  redirect_uri_mismatch: { statuses: [403], title: "The authorization code was issued for another redirect_uri" },
  account_id_mismatch: { statuses: [403], title: "The authorization code was issued for another account_id" },
  consent_denied: { statuses: [403], title: "The consent does not allow this" },
  consent_of_another_account: { statuses: [403], title: "The consent was authorised for another PSU account" },
  consent_not_found: { statuses: [404], title: "No such consent" },
  account_blocked: { statuses: [403], title: "The institution has blocked the account for this scope" },
  permission_not_found: { statuses: [404], title: "No such permission" },
  token_not_found: { statuses: [404], title: "No such token" },
} as const satisfies Entries;
