/** Errors of the ledger's records: what an institution was answered, and what that is based on. */
import { table } from "../http/errors/entry.ts";

export const AUDIT = table("caller", {
  record_not_found: {
    statuses: [404],
    title: "No such record",
    rule: "A record is found by the x-evidence-id of its answer, by the institution that was answered, while it is kept.",
    cause:
      "The id is another institution's, that of a request that leaves no record (such as a list), or of one seconds ago whose record is still under way.",
    cure: "Send the x-evidence-id of a check or a grant. List the records to see which there are.",
    example: "GET /v1/audit/records/0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ",
  },
  records_damaged: {
    statuses: [500],
    title: "Records of the ledger are damaged where they are kept",
    rule: "A record that is kept is given out as it was stored, or the answer says that it cannot be: never another text, and never that there is none.",
    cause:
      "The file with the records in the service's object store is gone, or its SHA-256 is another one. It is no outage: sending the request again changes nothing.",
    cure: "Report it to the operator, with the numbers in the title. doctor names the file, which is to be put back from a copy. Other records can be read.",
    example:
      "records 4097 to 8192, of 2026-11-22T09:00:00Z to 2026-11-22T17:30:00Z, are damaged: their file is missing",
    whose: "service",
  },
  document_not_found: {
    statuses: [404],
    title: "No such document",
    rule: "A record gives out the documents that it is based on, by the SHA-256 in its evidence, while they are kept.",
    cause:
      "The digest is not in the record's evidence, or the operator's service keeps no documents, or no longer (EVIDENCE_RETENTION_DAYS).",
    cure: "Take sha256 from data.evidence of the record. The title says whether the document is not of this record, not kept, or altered where it is kept.",
    example:
      "GET /v1/audit/records/0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ/documents/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  },
  head_missing: {
    title: "head is missing",
    rule: "A comparison needs the head that was kept: the member jws of an answer of GET /v1/audit/head.",
    cause: "The parameter is missing, or has another name.",
    cure: "Send the signed head, which is one text of three parts.",
    example: "GET /v1/audit/head/comparison?head=eyJhbGciOiJFZDI1NTE5Ii…",
  },
  head_invalid: {
    title: "head is not one that this service has signed for you",
    rule: "head is a head of your own ledger, with the service's signature: only what it has signed is compared.",
    cause:
      "Only a part of it was kept, it was altered, it is another institution's, or its key is not among those of the service.",
    cure: "The title says which. Send the member jws as it was answered. A head with a wrong signature was not made by this service.",
    example: "head has a signature that is not that of the key 20261101T000000Z: it was altered",
  },
  from_invalid: {
    title: "from is not an instant",
    rule: "from is an instant in ISO 8601 with an offset: records from then on are listed.",
    cause: "A day without a time was sent, or a plus sign was not encoded as %2B.",
    cure: "Send an instant in UTC.",
    example: "GET /v1/audit/records?from=2026-11-22T00:00:00Z",
  },
  to_invalid: {
    title: "to is not an instant",
    rule: "to is an instant in ISO 8601 with an offset: records before it are listed.",
    cause: "The last day was sent as a date, or the parameter is given twice.",
    cure: "Send one instant with its offset. For a whole day: the midnight that ends it.",
    example: "GET /v1/audit/records?to=2026-11-23T00:00:00Z",
  },
  psp_id_invalid: {
    title: "psp_id is not 1 to 256 characters",
    rule: "psp_id is an authorisation number, in any spelling: records about this PSP are listed.",
    cause: "It is empty, or given twice.",
    cure: "Send the number as the certificate or the record has it, or leave the parameter out.",
    example: "GET /v1/audit/records?psp_id=PSDFI-FINFSA-1234567-8",
  },
  endpoint_invalid: {
    title: "endpoint is not the method and path of an endpoint",
    rule: "endpoint is the method and the path of an endpoint, as its records have it: parameters stay in braces.",
    cause: "Only the path was sent, or a path with its parameters filled in.",
    cure: "Send the member endpoint of a record, percent-encoded.",
    example: "GET /v1/audit/records?endpoint=GET%20/v1/psp/eidas",
  },
});
