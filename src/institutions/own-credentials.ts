/** Credentials of an institution's systems, as its own people see them, and the institutions for which a credential speaks. */
import type { Instant } from "../platform/instant.ts";
import { callStore } from "../platform/stores.ts";
import {
  type FinancialInstitution,
  INSTITUTION_COLUMNS,
  readInstitution,
  type SelectedInstitution,
} from "./financial-institutions.ts";

/** An institution has one or two. */
const LISTED_CREDENTIALS = 100;

export const OWN_CREDENTIAL_STATEMENTS = {
  list: `
    SELECT c.client_id AS clientId, coalesce(c.secret_made_at, c.created_at) AS madeAt,
      iif(c.old_secret_until > ?2, c.old_secret_until, NULL) AS oldSecretUntil,
      EXISTS (SELECT 1 FROM credential_institutions other WHERE other.client_id = c.client_id AND other.fi_id <> ?1) AS isShared
    FROM credential_institutions link JOIN credentials c ON c.client_id = link.client_id
    WHERE link.fi_id = ?1 LIMIT ${LISTED_CREDENTIALS}`,
  institutions: `
    SELECT ${INSTITUTION_COLUMNS} FROM credential_institutions link
    JOIN financial_institutions f ON f.id = link.fi_id WHERE link.client_id = ?1`,
} as const;

export interface OwnCredential {
  readonly clientId: string;
  readonly madeAt: Instant;
  /** While a rotation overlaps: when the secret before ends. */
  readonly oldSecretUntil: Instant | null;
  /** It speaks for other institutions, too. */
  readonly isShared: boolean;
}

/** Those that speak for the institution. Throws StoreError. */
export async function listOwnCredentials(db: D1Database, fiId: number, now: Instant): Promise<OwnCredential[]> {
  type Row = Omit<OwnCredential, "isShared"> & { readonly isShared: number };
  const list = db.prepare(OWN_CREDENTIAL_STATEMENTS.list).bind(fiId, now);
  const { results } = await callStore("D1", () => list.all<Row>());
  return results.map((row) => ({ ...row, isShared: row.isShared === 1 }));
}

/** For whom a credential speaks. Throws StoreError. */
export async function listSpokenFor(db: D1Database, clientId: string): Promise<FinancialInstitution[]> {
  const list = db.prepare(OWN_CREDENTIAL_STATEMENTS.institutions).bind(clientId);
  return (await callStore("D1", () => list.all<SelectedInstitution>())).results.map(readInstitution);
}
