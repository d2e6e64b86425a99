/** The records of a ledger as a file has them, one row each; what is no word for people has its name of record.ts. */
import { askLedger, type LedgerEnv } from "../../evidence/ledger/ask-ledger.ts";
import { describeGap, nameGap } from "../../evidence/ledger/damage.ts";
import { type LedgerRecord, outcomeByDecision } from "../../evidence/ledger/record.ts";
import type { RecordQuery } from "../../evidence/ledger/record-query.ts";
import type { RecordPage } from "../../evidence/ledger/record-search.ts";
import { type ListFile, members, PART_RECORDS, readPosition } from "../list-file.tsx";
import { nameRecord } from "./record-words.ts";

export const recordList = (
  env: LedgerEnv,
  fiId: number,
  query: Omit<RecordQuery, "before" | "limit">,
): ListFile<LedgerRecord> => ({
  name: "evidence",
  columns: {
    ...members("time", "seq", "id"),
    asked_for: nameRecord,
    ...members("psp", "status"),
    outcome: (record) => outcomeByDecision(record),
    ...members("transaction_reference", "account", "consent", "token", "by"),
    scopes: ({ scopes }) => scopes?.join(" "),
    ...members("person", "client", "operator", "endpoint", "request_id", "ms", "release"),
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
