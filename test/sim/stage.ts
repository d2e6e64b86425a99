/** On what a story of the workload plays. */
import type { Bank } from "./bank.ts";
import { eidas } from "./certificates.ts";
import type { Facts, Scope } from "./facts.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

export interface Actors {
  readonly facts: Facts;
  readonly world: World;
  readonly accounts: readonly string[];
}

export interface Stage extends Actors {
  readonly banks: readonly Bank[];
  readonly random: Random;
  readonly bank: Bank;
  readonly account: string;
}

/** A CCG token of the PSP with this certificate; null: it got none. */
export async function obtainCcg({ bank }: Stage, psp: string, scope: Scope): Promise<string | null> {
  const body = { eIDAS: eidas(psp), scope };
  return (await bank.insist(3, "POST", "/v1/obie/ccg_tokens", { body })).json?.access_token ?? null;
}
