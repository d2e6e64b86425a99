/** The names that people know, of those whom records name by a number or a tag. */
import { findMetPsps } from "../../events/met-list.ts";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import { databaseOf } from "../../institutions/databases.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { findNames, type Names } from "../people/names.ts";

/** Of people by tag, of PSPs that the institution has met by authorisation number. Throws StoreError. */
export async function findRecordNames(env: Env, fi: Chosen, records: readonly LedgerRecord[]): Promise<Names> {
  const numbers = [...new Set(records.flatMap(({ psp }) => psp ?? []))];
  const [people, met] = await Promise.all([
    findNames(env, fi.id, records),
    findMetPsps(databaseOf(env, fi), fi.id, numbers),
  ]);
  return new Map([...people, ...met.flatMap(({ pspId, name }) => (name === null ? [] : [[pspId, name] as const]))]);
}
