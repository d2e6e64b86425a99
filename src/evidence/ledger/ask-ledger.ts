import { callStore, LONG_STORE_TIMEOUT_MS } from "../../platform/stores.ts";
import type { Damage } from "./damage.ts";
import type { Ledger } from "./ledger.ts";

/**
 * Asks the ledger of the institution with this id. Ids are never given again, so neither are ledgers. `within`: what reads
 * records may open many files of R2, and has a long time. Throws StoreError.
 */
export const askLedger = <Result>(
  { LEDGER }: Pick<Env, "LEDGER">,
  fiId: number,
  ask: (ledger: DurableObjectStub<Ledger>) => Promise<Result>,
  within = LONG_STORE_TIMEOUT_MS,
): Promise<Result> => callStore("ledger", () => ask(LEDGER.getByName(String(fiId))), within);

/** The text of the record with this evidence id; null if there is none; the damage by which that cannot be said. Throws StoreError. */
export const findRecordText = (env: Pick<Env, "LEDGER">, fiId: number, id: string): Promise<string | Damage | null> =>
  askLedger(env, fiId, async (ledger): Promise<string | Damage | null> => await ledger.find(id));
