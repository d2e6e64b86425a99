/** The records of a ledger as a file has them, one row each; what is no word for people has its name of record.ts. */
import { askLedger } from "../../evidence/ledger/ask-ledger.ts";
import { describeGap, nameGap } from "../../evidence/ledger/damage.ts";
import { type LedgerRecord, outcomeByDecision } from "../../evidence/ledger/record.ts";
import type { RecordQuery } from "../../evidence/ledger/record-query.ts";
import type { RecordPage } from "../../evidence/ledger/record-search.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { type ListFile, members, PART_RECORDS, readPosition } from "../list-file.tsx";
import type { Names } from "../people/names.ts";
import { findRecordNames } from "./record-names.ts";
import { nameRecord } from "./record-words.ts";

type Row = LedgerRecord & { readonly names: Names };

export const recordList = (env: Env, fi: Chosen, query: Omit<RecordQuery, "before" | "limit">): ListFile<Row> => ({
  name: "evidence",
  columns: {
    ...members("time", "seq", "id"),
    asked_for: nameRecord,
    ...members("psp"),
    psp_name: ({ psp, names }) => psp && names.get(psp),
    ...members("status"),
    outcome: (record) => outcomeByDecision(record),
    ...members("transaction_reference", "account", "consent", "token", "by"),
    scopes: ({ scopes }) => scopes?.join(" "),
    ...members("person"),
    person_name: ({ person, names }) => person && names.get(person),
    ...members("client", "operator", "endpoint", "request_id", "ms", "release"),
  },
  read: async ({ before }) => {
    const asked = { ...query, before: readPosition(before), limit: PART_RECORDS };
    const { texts, gaps, next }: RecordPage = await askLedger(env, fi.id, (ledger) => ledger.list(asked));
    const records = texts.map((text) => JSON.parse(text) as LedgerRecord);
    const names = await findRecordNames(env, fi, records);
    return {
      rows: records.map((record) => ({ ...record, names })),
      notes: gaps.map((gap) => `Cannot be shown: ${describeGap(nameGap(gap))}`),
      next: next === null ? null : { before: String(next) },
    };
  },
});
