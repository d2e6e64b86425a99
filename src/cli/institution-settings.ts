/** What `fi set` changes of an institution. A setting that is left out stays as it is. */

import { setTokenLifetimes, type TokenLifetimes } from "../grants/token-lifetimes.ts";
import { copyInstitution } from "../institutions/institution-placement.ts";

export interface InstitutionChanges {
  readonly name?: string;
  /** Lifetimes of its access tokens; null: the deployment's. */
  readonly tokenSeconds?: Partial<TokenLifetimes>;
  /** Whether an answer leaves only when its record is kept. */
  readonly ledgerRequired?: boolean;
}

const CHANGE = `
  UPDATE financial_institutions SET name = coalesce(?2, name), ledger_required = coalesce(?3, ledger_required)
  WHERE fi_reference_id = ?1`;

/** Returns whether an institution with that reference exists. The lifetimes must be such (isTokenLifetime). */
export async function changeInstitution(
  env: Pick<Env, "DB">,
  fiReferenceId: string,
  { name, tokenSeconds, ledgerRequired }: InstitutionChanges,
): Promise<boolean> {
  const required = ledgerRequired === undefined ? null : Number(ledgerRequired);
  const change = env.DB.prepare(CHANGE).bind(fiReferenceId, name ?? null, required);
  if ((await change.run()).meta.changes === 0) return false;
  const set = tokenSeconds === undefined || (await setTokenLifetimes(env.DB, fiReferenceId, tokenSeconds)).ok;
  await copyInstitution(env, fiReferenceId);
  return set;
}
