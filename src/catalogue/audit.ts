/** Errors of the ledger's records: what an institution was answered, and what that rested on. */
import type { Entries } from "./entry.ts";

export const AUDIT = {
  record_not_found: { statuses: [404], title: "No such record" },
  document_not_found: { statuses: [404], title: "No such document" },
  from_invalid: { statuses: [400], title: "from is not an instant" },
  to_invalid: { statuses: [400], title: "to is not an instant" },
  psp_id_invalid: { statuses: [400], title: "psp_id is not 1 to 256 characters" },
  endpoint_invalid: { statuses: [400], title: "endpoint is not the method and path of an endpoint" },
} as const satisfies Entries;
