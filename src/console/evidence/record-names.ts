/** The names that people know, of those whom records name by a number or a tag. */
import { findMetPsps } from "../../events/met-list.ts";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import { databaseOf } from "../../institutions/databases.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { findNames, type Names } from "../people/names.ts";

export interface RecordNames {
  readonly people: Names;
  /** By authorisation number; of PSPs that the institution has met, by a certificate whose issuer vouches for it. */
  readonly psps: Names;
}

/** Throws StoreError. */
export async function findRecordNames(
  env: Env,
  fi: Pick<Chosen, "id" | "database">,
  records: readonly LedgerRecord[],
): Promise<RecordNames> {
  const numbers = [...new Set(records.flatMap(({ psp }) => psp ?? []))];
  const [people, met] = await Promise.all([
    findNames(env, fi.id, records),
    numbers.length === 0 ? [] : findMetPsps(databaseOf(env, fi), fi.id, numbers),
  ]);
  return { people, psps: new Map(met.flatMap(({ pspId, name }) => (name === null ? [] : [[pspId, name]]))) };
}
