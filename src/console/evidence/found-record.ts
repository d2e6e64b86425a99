/** The record that the path of a page names. */
import { isRecordId } from "../../grants/record-id.ts";
import { askLedger } from "../../ledger/ask-ledger.ts";
import type { LedgerRecord } from "../../ledger/record.ts";
import type { Chosen } from "../chosen-institution.tsx";
import type { Visit } from "../page.ts";
import { pageNotFound } from "../page-problem.ts";

export interface FoundRecord {
  /** As it is stored. */
  readonly text: string;
  readonly record: LedgerRecord;
}

/** Of this institution's ledger. Throws PageProblem if it has none of this id, StoreError. */
export async function findRecord({ c, params }: Pick<Visit, "c" | "params">, fi: Chosen): Promise<FoundRecord> {
  const id = params["id"] ?? "";
  const text = isRecordId(id) ? await askLedger(c.env, fi.id, (ledger) => ledger.find(id)) : null;
  if (text === null) throw pageNotFound();
  return { text, record: JSON.parse(text) as LedgerRecord };
}
