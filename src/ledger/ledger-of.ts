import type { Ledger } from "./ledger.ts";

/** The ledger of the institution with this id. Ids are never given again, so neither are ledgers. */
export const ledgerOf = (env: Pick<Env, "LEDGER">, fiId: number): DurableObjectStub<Ledger> =>
  env.LEDGER.getByName(String(fiId));
