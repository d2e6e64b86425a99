/** The institution at whose provider somebody signs in or out, by the reference in the address. */
import type { Context } from "hono";
import { openProviderSecret } from "../../grants/provider-secret.ts";
import { readTokenKeys } from "../../grants/token-keys.ts";
import type { AppEnv } from "../../http/context.ts";
import { baseUrl } from "../../http/errors/errors.ts";
import {
  type FinancialInstitution,
  INSTITUTION_COLUMNS,
  readInstitution,
  type SelectedInstitution,
} from "../../institutions/financial-institutions.ts";
import { findProvider, type SignInProvider } from "../../institutions/sign-in-provider.ts";
import { callStore } from "../../platform/stores.ts";

export const SIGN_IN_INSTITUTION_STATEMENTS = {
  find: `
    SELECT ${INSTITUTION_COLUMNS} FROM financial_institutions f WHERE fi_reference_id = ?1 AND f.status = 'active'`,
} as const;

/** Null: there is none, or it is disabled. Throws StoreError. */
export async function findActiveInstitution(db: D1Database, reference: string): Promise<FinancialInstitution | null> {
  const find = db.prepare(SIGN_IN_INSTITUTION_STATEMENTS.find).bind(reference);
  const row = await callStore("D1", () => find.first<SelectedInstitution>());
  return row ? readInstitution(row) : null;
}

export interface InstitutionWithProvider {
  readonly fi: FinancialInstitution;
  /** Its secret is open. */
  readonly provider: SignInProvider;
}

/** Null: nobody can sign in there as themselves. Throws StoreError. */
export async function findWithProvider(
  { env }: Context<AppEnv>,
  reference: string,
): Promise<InstitutionWithProvider | null> {
  const fi = await findActiveInstitution(env.DB, reference);
  const provider = fi && (await findProvider(env.DB, fi.id));
  if (!provider) return null;
  const secret = openProviderSecret({ fiId: fi.id, ...provider }, readTokenKeys(env));
  return secret === null ? null : { fi, provider: { ...provider, secret } };
}

/** The absolute address of a part of an institution's sign-in, as the provider has to know it. */
export const absoluteAddress = (c: Context<AppEnv>, reference: string, part = ""): string =>
  `${baseUrl(c.env.BASE_URL, c.req.url)}/console/sign-in/${encodeURIComponent(reference)}${part}`;
