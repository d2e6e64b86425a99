/** Financial institutions (FIs, the tenants) and their credentials in D1. */
import { hashSecret, sameSecret } from "./secrets.ts";
import { callStore } from "./store-error.ts";

export interface FinancialInstitution {
  readonly id: number;
  readonly name: string;
  readonly fiReferenceId: string;
}

export type Authentication =
  | { readonly ok: true; readonly fi: FinancialInstitution }
  | { readonly ok: false; readonly reason: "credentials" | "fi_reference_id" };

interface AuthenticationRow {
  secret_hash: string;
  fi_id: number | null;
  name: string | null;
  status: "active" | "disabled" | null;
}

// indexes used: primary keys of credentials and credential_institutions, unique index of fi_reference_id
const FIND_CREDENTIAL = `
  SELECT c.secret_hash, f.id AS fi_id, f.name, f.status
  FROM credentials c
  LEFT JOIN financial_institutions f ON f.fi_reference_id = ?2
    AND EXISTS (SELECT 1 FROM credential_institutions i WHERE i.client_id = c.client_id AND i.fi_id = f.id)
  WHERE c.client_id = ?1`;

/**
 * Authenticates the caller. The credentials must be correct, and linked to the institution with the reference
 * `fiReferenceId`. An unknown client costs the same comparison as a wrong secret. Throws {@link StoreError}.
 */
export async function authenticate(
  db: D1Database,
  clientId: string,
  secret: string,
  fiReferenceId: string,
): Promise<Authentication> {
  const find = db.prepare(FIND_CREDENTIAL).bind(clientId, fiReferenceId);
  const row = await callStore("D1", () => find.first<AuthenticationRow>());
  const right = sameSecret(row?.secret_hash ?? "", hashSecret(secret));
  if (!row || !right) return { ok: false, reason: "credentials" };
  if (row.fi_id === null || row.name === null) return { ok: false, reason: "fi_reference_id" };
  if (row.status !== "active") return { ok: false, reason: "credentials" };
  return { ok: true, fi: { id: row.fi_id, name: row.name, fiReferenceId } };
}

export interface FinancialInstitutionRow {
  id: number;
  name: string;
  fi_reference_id: string;
  status: "active" | "disabled";
  /** Milliseconds since 1970. */
  created_at: number;
  client_ids: string | null;
}

/** All institutions with their client ids, ordered by reference. For the operator, not for requests. */
export const listFinancialInstitutions = async (db: D1Database): Promise<FinancialInstitutionRow[]> =>
  (
    await db
      .prepare(
        `SELECT f.*, (SELECT group_concat(client_id, ' ') FROM credential_institutions i WHERE i.fi_id = f.id) AS client_ids
         FROM financial_institutions f ORDER BY f.fi_reference_id`,
      )
      .all<FinancialInstitutionRow>()
  ).results;

/**
 * Adds an institution and links a credential to it: a new one, or with a null `secretHash` one that exists already (an
 * aggregator's). `now` in milliseconds since 1970.
 */
export async function insertFinancialInstitution(
  db: D1Database,
  fi: { name: string; fiReferenceId: string; clientId: string; secretHash: string | null; now: number },
): Promise<void> {
  const addFi = db
    .prepare("INSERT INTO financial_institutions (name, fi_reference_id, created_at) VALUES (?1, ?2, ?3)")
    .bind(fi.name, fi.fiReferenceId, fi.now);
  const addCredential = db
    .prepare("INSERT INTO credentials (client_id, secret_hash, created_at) VALUES (?1, ?2, ?3)")
    .bind(fi.clientId, fi.secretHash, fi.now);
  const link = db
    .prepare(
      `INSERT INTO credential_institutions (client_id, fi_id)
       VALUES (?1, (SELECT id FROM financial_institutions WHERE fi_reference_id = ?2))`,
    )
    .bind(fi.clientId, fi.fiReferenceId);
  await db.batch(fi.secretHash === null ? [addFi, link] : [addFi, addCredential, link]);
}

/** Returns whether an institution with that reference exists. */
export async function disableFinancialInstitution(db: D1Database, fiReferenceId: string): Promise<boolean> {
  const statement = "UPDATE financial_institutions SET status = 'disabled' WHERE fi_reference_id = ?1";
  return (await db.prepare(statement).bind(fiReferenceId).run()).meta.changes > 0;
}

/**
 * Replaces a credential's secret and returns whether the client exists. Isolates that have verified the old secret
 * accept it until their memory of it expires (60 seconds, middleware/financial-institution.ts).
 */
export async function rotateCredential(db: D1Database, clientId: string, secretHash: string): Promise<boolean> {
  const statement = "UPDATE credentials SET secret_hash = ?2 WHERE client_id = ?1";
  return (await db.prepare(statement).bind(clientId, secretHash).run()).meta.changes > 0;
}
