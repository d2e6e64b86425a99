/** The record that the path of a page names. */

import { findRecordText } from "../../evidence/ledger/ask-ledger.ts";
import { type Damage, describeGap, nameGap } from "../../evidence/ledger/damage.ts";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import { isRecordId } from "../../grants/record-order.ts";
import type { Chosen } from "../chosen-institution.tsx";
import type { Visit } from "../page.ts";
import { PageProblem, pageNotFound } from "../page-problem.ts";

/** `what`: what cannot be shown. */
export const damagedRecords = (what: string, damage: Damage): PageProblem =>
  new PageProblem({
    status: 500,
    code: "records_damaged",
    heading: "Records are damaged",
    text: `${what}: ${describeGap(nameGap(damage))}. It does not pass by itself: the operator's command doctor names the file, which is to be put back from a copy.`,
  });

export interface FoundRecord {
  /** As it is stored. */
  readonly text: string;
  readonly record: LedgerRecord;
}

/** Of this institution's ledger. Throws PageProblem if it has none of this id, StoreError. */
export async function findRecord({ c, params }: Pick<Visit, "c" | "params">, fi: Chosen): Promise<FoundRecord> {
  const id = params["id"] ?? "";
  const found = isRecordId(id) ? await findRecordText(c.env, fi.id, id) : null;
  if (found === null) throw pageNotFound();
  if (typeof found !== "string") throw damagedRecords("The record may be among those that cannot be read", found);
  return { text: found, record: JSON.parse(found) as LedgerRecord };
}
