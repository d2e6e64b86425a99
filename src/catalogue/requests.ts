/** Errors of a request in general: its credentials, headers, path and body. */
import type { Entries } from "./entry.ts";

export const REQUESTS = {
  credentials_missing: { statuses: [401], title: "Header Authorization with Basic credentials is missing" },
  credentials_invalid: {
    statuses: [401],
    title: "The client id or the secret is wrong, or the institution is disabled",
  },
  fi_reference_id_missing: { statuses: [401], title: "Header fi_reference_id is missing" },
  fi_reference_id_invalid: { statuses: [401], title: "These credentials are not valid for this fi_reference_id" },
  version_missing: { statuses: [400, 404], title: "Header version is missing" },
  version_invalid: { statuses: [400, 404], title: "Header version must be latest or 1" },
  transaction_reference_invalid: {
    statuses: [400, 404],
    title: "Header transaction_reference is not 1 to 128 printable ASCII characters",
  },
  content_type_missing: { statuses: [400], title: "Header Content-Type is missing" },
  content_type_invalid: { statuses: [400], title: "Header Content-Type must be application/json" },
  path_not_found: { statuses: [404], title: "No such path" },
  path_malformed: { statuses: [404], title: "The path is not percent-encoded UTF-8" },
  parameter_unknown: { statuses: [400], title: "The endpoint has no such parameter in its query" },
  method_not_allowed: { statuses: [405], title: "The path does not support this method" },
  body_malformed: { statuses: [400], title: "The body is not one JSON object" },
  body_too_large: { statuses: [400], title: "The body is larger than 64 KiB" },
} as const satisfies Entries;
