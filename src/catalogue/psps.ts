/** Errors of the PSP: its certificate, its CCG token, its scopes. */
import type { Entries } from "./entry.ts";

export const PSPS = {
  certificate_missing: { statuses: [401, 404, 400], title: "The eIDAS certificate is missing" },
  certificate_unreadable: { statuses: [401, 404, 400], title: "The eIDAS certificate cannot be read" },
  certificate_authorisation_number_missing: {
    statuses: [401],
    title: "The certificate contains no PSP authorisation number",
  },
  qtsp_invalid: { statuses: [401], title: "The certificate's issuer is not an approved QTSP" },
  signature_invalid: { statuses: [401], title: "A signature on the certificate's path does not verify" },
  certificate_revoked: { statuses: [401], title: "The certificate is revoked, or its status is unknown" },
  certificate_expired: { statuses: [401], title: "The certificate is expired or not yet valid" },
  tpp_id_invalid: { statuses: [400], title: "tpp_id is not the PSP of the certificate" },
  psd2_role_invalid: { statuses: [400], title: "psd2_role is not 7 or 8, or contradicts the scope" },
  ccg_token_missing: { statuses: [401], title: "Header ccg_token is missing" },
  ccg_token_invalid: { statuses: [401], title: "ccg_token is not valid" },
  ccg_token_expired: { statuses: [401], title: "ccg_token is expired" },
  payment_service_invalid: { statuses: [403], title: "The PSP may not use the requested scope" },
} as const satisfies Entries;
