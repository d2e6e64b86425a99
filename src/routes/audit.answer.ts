/** An institution's ledger: its records and what they are based on. */
import * as z from "zod";
import { VERDICT_NAMES } from "../eidas/verdict-codes.ts";
import { HEAD_VERDICTS } from "../evidence/ledger/chain.ts";
import { DAMAGE_REASONS } from "../evidence/ledger/damage.ts";
import { LEDGER_EVENTS } from "../evidence/ledger/record.ts";
import { digest, instant, list } from "../http/answer-fields.ts";
import { BANK_PASSPORTS } from "../institutions/financial-institutions.ts";

const decision = z.object({ payments: z.boolean(), accounts: z.boolean() });
const scope = z.enum(["payments", "accounts"]);
const verdict = z.enum(VERDICT_NAMES);

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
  bank_passports: z.enum(BANK_PASSPORTS).nullable().optional(),
  scopes: list(scope).optional(),
  by: z.enum(["bank", "customer", "psp"]).optional(),
  ended: z
    .object({
      permissions: list(z.object({ id: z.string(), psp: z.string(), scope })),
      tokens: list(z.string()),
      more: z.object({ permissions: z.int().min(0), tokens: z.int().min(0) }),
    })
    .optional(),
  client: z.string().optional(),
  operator: z.string().optional(),
  person: z.string().optional(),
  about: z.string().optional(),
  as_of: instant.optional(),
  withheld: z.literal(true).optional(),
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

export const headComparison = z.object({
  data: z.object({
    verdict: z.enum(HEAD_VERDICTS),
    kept: z.object({ seq: number, hash: digest, time: instant }),
    found: digest.nullable(),
    followed_to: number.nullable(),
    differs_at: number.nullable(),
    gap: z.enum([...DAMAGE_REASONS, "expired"]).nullable(),
    head: z.object({ seq: number, hash: digest, time: instant.nullable(), jws: jws.nullable() }),
  }),
});
export type HeadComparisonAnswer = z.output<typeof headComparison>;

const stored = { record, text: z.string(), hash: digest };
const heads = list(jws);

const gap = z.object({
  first_seq: number,
  last_seq: number,
  from: instant,
  to: instant,
  reason: z.enum(DAMAGE_REASONS),
});

export const recordList = z.object({
  data: list(z.object(stored)),
  heads,
  gaps: list(gap),
  next_cursor: z.string().optional(),
});
export type RecordList = z.output<typeof recordList>;

export const auditRecord = z.object({
  data: z.object({ ...stored, evidence: list(z.object({ kind: z.string(), sha256: digest })), heads }),
});
export type AuditRecord = z.output<typeof auditRecord>;
