/** Asks the ledger of the institution with this id. Ids are never given again, so neither are ledgers. */
import { callStore, LONG_STORE_TIMEOUT_MS, objectsIn } from "../../platform/stores.ts";
import type { Damage } from "./damage.ts";
import type { Ledger } from "./ledger.ts";
import { SEGMENT_RECORDS } from "./record.ts";

/** By which a ledger is found. */
export type LedgerEnv = Pick<Env, "LEDGER" | "JURISDICTION">;

/** `within`: what reads records may open many files of R2, and has a long time. Throws StoreError. */
export const askLedger = <Result>(
  { LEDGER, JURISDICTION }: LedgerEnv,
  fiId: number,
  ask: (ledger: DurableObjectStub<Ledger>) => Promise<Result>,
  within = LONG_STORE_TIMEOUT_MS,
): Promise<Result> => callStore("ledger", () => ask(objectsIn(LEDGER, JURISDICTION).getByName(String(fiId))), within);

/** The text of the record with this evidence id; null if there is none; the damage by which that cannot be said. Throws StoreError. */
export const findRecordText = (env: LedgerEnv, fiId: number, id: string): Promise<string | Damage | null> =>
  askLedger(env, fiId, async (ledger): Promise<string | Damage | null> => await ledger.find(id));

export interface SignedHead {
  readonly seq: number;
  /** See head.ts. */
  readonly jws: string;
}

/** The signed heads from the one record to the first head that covers the other: what proves all between them. */
export async function findHeads(env: LedgerEnv, fiId: number, oldest: number, newest: number): Promise<SignedHead[]> {
  // every closed segment ends in a head; the last append may make it larger
  const last = newest + 2 * SEGMENT_RECORDS;
  const heads = await askLedger(env, fiId, (ledger) => ledger.heads(oldest, last, newest));
  const signed = heads.flatMap(({ seq, jws }) => (jws === null ? [] : { seq, jws }));
  const covering = signed.findIndex(({ seq }) => seq >= newest);
  return signed.slice(0, covering < 0 ? signed.length : covering + 1);
}
