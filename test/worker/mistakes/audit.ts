/** Mistakes about the ledger's records: 404s that say what is not found. */
import { makeRecordId } from "../../../src/grants/record-order.ts";
import { call } from "../bank.ts";
import { recordOf } from "../evidence/ledger/records.ts";
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
    what: "a comparison without a head",
    send: () => call("GET", "/v1/audit/head/comparison"),
    status: 400,
    errors: [["head_missing", /^head is missing$/]],
  },
  {
    what: "a head of which only the last part was kept",
    send: () => call("GET", `/v1/audit/head/comparison?head=${"A".repeat(86)}`),
    status: 400,
    errors: [
      ["head_invalid", /^head is not a head: a JWS of the type psp-gate-head\+jws, signed by Ed25519, was expected$/],
    ],
  },
  {
    what: "a document that a record does not rest on",
    send: async () => {
      const headers = { eidas: eidasHeader("scenario-1") };
      const { id } = await recordOf(await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers }));
      return call("GET", `/v1/audit/records/${id}/documents/${"0".repeat(64)}`);
    },
    status: 404,
    errors: [["document_not_found", /^The record is based on no document of this SHA-256$/]],
  },
];
