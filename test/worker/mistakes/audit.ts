/** Mistakes about the ledger's records: 404s that say what is not found. */
import { makeRecordId } from "../../../src/grants/record-id.ts";
import { call } from "../bank.ts";
import { recordOf } from "../ledger/records.ts";
import { eidasHeader } from "../sandbox.ts";
import type { Mistake } from "./mistake.ts";

export const AUDIT_MISTAKES: readonly Mistake[] = [
  {
    what: "a record of nobody",
    send: () => call("GET", `/v1/audit/records/${makeRecordId(0)}`),
    status: 404,
    errors: [["record_not_found", /^No such record$/]],
  },
  {
    what: "a document that a record does not rest on",
    send: async () => {
      const headers = { eidas: eidasHeader("scenario-1") };
      const { id } = await recordOf(await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers }));
      return call("GET", `/v1/audit/records/${id}/documents/${"0".repeat(64)}`);
    },
    status: 404,
    errors: [["document_not_found", /^The record rests on no document of this SHA-256$/]],
  },
];
