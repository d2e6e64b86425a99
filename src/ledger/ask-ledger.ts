import { callStore, LONG_STORE_TIMEOUT_MS } from "../store-error.ts";
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
