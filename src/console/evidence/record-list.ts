/** The records of a ledger as a file has them, one row each. */
import { askLedger, type LedgerEnv } from "../../evidence/ledger/ask-ledger.ts";
import { describeGap, nameGap } from "../../evidence/ledger/damage.ts";
import { type LedgerRecord, outcomeByDecision } from "../../evidence/ledger/record.ts";
import type { RecordQuery } from "../../evidence/ledger/record-query.ts";
import type { RecordPage } from "../../evidence/ledger/record-search.ts";
import { type ListFile, PART_RECORDS, readPosition } from "../list-file.tsx";
import { nameRecord } from "./record-words.ts";

export const recordList = (
  env: LedgerEnv,
  fiId: number,
  query: Omit<RecordQuery, "before" | "limit">,
): ListFile<LedgerRecord> => ({
  name: "evidence",
  columns: {
    time: ({ time }) => time,
    number: ({ seq }) => seq,
    evidence_id: ({ id }) => id,
    request_id: ({ request_id }) => request_id,
    asked_for: nameRecord,
    endpoint: ({ endpoint }) => endpoint,
    psp: ({ psp }) => psp,
    status: ({ status }) => status,
    outcome: (record) => outcomeByDecision(record),
    reference: ({ transaction_reference }) => transaction_reference,
    account_tag: ({ account }) => account,
    consent: ({ consent }) => consent,
    token: ({ token }) => token,
    decided_by: ({ by }) => by,
    scopes: ({ scopes }) => scopes?.join(" "),
    person: ({ person }) => person,
    client: ({ client }) => client,
    operator: ({ operator }) => operator,
    milliseconds: ({ ms }) => ms,
    release: ({ release }) => release,
  },
  read: async ({ before }) => {
    const asked = { ...query, before: readPosition(before), limit: PART_RECORDS };
    const { texts, gaps, next }: RecordPage = await askLedger(env, fiId, (ledger) => ledger.list(asked));
    return {
      rows: texts.map((text) => JSON.parse(text) as LedgerRecord),
      notes: gaps.map((gap) => `Cannot be shown: ${describeGap(nameGap(gap))}`),
      next: next === null ? null : { before: String(next) },
    };
  },
});
