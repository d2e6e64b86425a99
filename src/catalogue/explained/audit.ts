/** The explanations of catalogue/audit.ts. */
import type { AUDIT } from "../audit.ts";
import type { Explanations } from "./explanation.ts";

export const AUDIT_EXPLAINED: Explanations<typeof AUDIT> = {
  record_not_found: {
    rule: "A record is found by the x-evidence-id of its answer, by the institution that was answered, while it is kept.",
    cause:
      "The id is another institution's, that of a request that leaves no record (such as a list), or of one seconds ago whose record is still under way.",
    cure: "Send the x-evidence-id of a check or a grant. List the records to see which there are.",
    example: "GET /v1/audit/records/0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ",
    retry: "never",
    whose: "caller",
  },
  document_not_found: {
    rule: "A record gives out the documents that it rests on, by the SHA-256 in its evidence, while they are kept.",
    cause:
      "The digest is not in the record's evidence, or the operator's service keeps no documents, or no longer (EVIDENCE_RETENTION_DAYS).",
    cure: "Take sha256 from data.evidence of the record. The title says whether the document is not of this record, not kept, or altered where it is kept.",
    example:
      "GET /v1/audit/records/0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ/documents/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    retry: "never",
    whose: "caller",
  },
  from_invalid: {
    rule: "from is an instant in ISO 8601 with an offset: records from then on are listed.",
    cause: "A day without a time was sent, or a plus sign was not encoded as %2B.",
    cure: "Send an instant in UTC.",
    example: "GET /v1/audit/records?from=2026-11-22T00:00:00Z",
    retry: "never",
    whose: "caller",
  },
  to_invalid: {
    rule: "to is an instant in ISO 8601 with an offset: records before it are listed.",
    cause: "The last day was sent as a date, or the parameter is given twice.",
    cure: "Send one instant with its offset. For a whole day: the midnight that ends it.",
    example: "GET /v1/audit/records?to=2026-11-23T00:00:00Z",
    retry: "never",
    whose: "caller",
  },
  psp_id_invalid: {
    rule: "psp_id is an authorisation number, in any spelling: records about this PSP are listed.",
    cause: "It is empty, or given twice.",
    cure: "Send the number as the certificate or the record has it, or leave the parameter out.",
    example: "GET /v1/audit/records?psp_id=PSDFI-FINFSA-1234567-8",
    retry: "never",
    whose: "caller",
  },
  endpoint_invalid: {
    rule: "endpoint is the method and the path of an endpoint, as its records have it: parameters stay in braces.",
    cause: "Only the path was sent, or a path with its parameters filled in.",
    cure: "Send the member endpoint of a record, percent-encoded.",
    example: "GET /v1/audit/records?endpoint=GET%20/v1/psp/eidas",
    retry: "never",
    whose: "caller",
  },
};
