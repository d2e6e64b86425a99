/** What `fi set` changes of an institution. A setting that is left out stays as it is. */
import { setTokenLifetimes, type TokenLifetimes } from "../grants/token-lifetimes.ts";

export interface InstitutionChanges {
  readonly name?: string;
  /** Lifetimes of its access tokens; null: the deployment's. */
  readonly tokenSeconds?: Partial<TokenLifetimes>;
}

const RENAME = "UPDATE financial_institutions SET name = coalesce(?2, name) WHERE fi_reference_id = ?1";

/** Returns whether an institution with that reference exists. The lifetimes must be such (isTokenLifetime). */
export async function changeInstitution(
  db: D1Database,
  fiReferenceId: string,
  { name, tokenSeconds }: InstitutionChanges,
): Promise<boolean> {
  const rename = db.prepare(RENAME).bind(fiReferenceId, name ?? null);
  if ((await rename.run()).meta.changes === 0) return false;
  return tokenSeconds === undefined || (await setTokenLifetimes(db, fiReferenceId, tokenSeconds)).ok;
}
