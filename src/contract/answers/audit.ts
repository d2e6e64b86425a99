/** What an institution's ledger says: its records, and what they rested on. */
import * as z from "zod";
import { LEDGER_EVENTS } from "../../ledger/record.ts";
import { digest, instant, list } from "./field.ts";

const decision = z.object({ payments: z.boolean(), accounts: z.boolean() });
const verdict = z.enum(["validQTSP", "validSignature", "notRevoked", "notExpired"]);

const record = z.object({
  seq: z.int().min(1),
  prev: digest,
  id: z.string(),
  time: instant,
  release: z.string(),
  fi: z.string(),
  request_id: z.string(),
  event: z.enum(LEDGER_EVENTS),
  endpoint: z.string(),
  version: z.enum(["latest", "1"]),
  status: z.int().min(200).max(599),
  outcome: z.string(),
  ms: z.int().min(0),
  psp: z.string().nullable(),
  checks: list(
    z.object({
      certificate: digest,
      psp: z.string().nullable(),
      jurisdictions: list(z.string()),
      verdicts: list(verdict),
      decisions: list(decision),
      basis: digest,
    }),
  ),
  answer: digest.nullable(),
  token: z.string().nullable(),
  consent: z.string().nullable(),
  account: z.string().nullable(),
  transaction_reference: z.string().nullable(),
  client: z.string().optional(),
});

const number = z.int().min(0);
const jws = z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/);

export const ledgerHead = z.object({
  data: z.object({
    seq: number,
    hash: digest,
    time: instant.nullable(),
    jws: jws.nullable(),
    kept_from: number.nullable(),
  }),
});
export type LedgerHead = z.output<typeof ledgerHead>;

const stored = { record, text: z.string(), hash: digest };
const heads = list(jws);

export const recordList = z.object({ data: list(z.object(stored)), heads, next_cursor: z.string().optional() });
export type RecordList = z.output<typeof recordList>;

export const auditRecord = z.object({
  data: z.object({ ...stored, evidence: list(z.object({ kind: z.string(), sha256: digest })), heads }),
});
export type AuditRecord = z.output<typeof auditRecord>;
