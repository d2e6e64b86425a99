/**
 * A pass with which the operator's command line reads the ledger of one institution over HTTP: only the running Worker can
 * open its Durable Object. The command stores the hash of 256 random bits, uses the pass for minutes, and deletes it.
 *
 * It is good for GET /v1/audit/* of its institution alone (http/middleware/financial-institution.ts), is cached nowhere, and
 * ends by itself. Who can write the database could as well make a credential: a pass adds no power.
 */

import type { Instant } from "../platform/instant.ts";
import { hashSecret, makeSecret } from "../platform/secrets.ts";
import { callStore } from "../platform/stores.ts";
import {
  type FinancialInstitution,
  INSTITUTION_COLUMNS,
  readInstitution,
  type SelectedInstitution,
} from "./financial-institutions.ts";

/** How long a pass lasts whose command did not delete it. A command that takes longer makes another one. */
export const PASS_LIFETIME_MS = 5 * 60_000;

export const OPERATOR_PASS_STATEMENTS = {
  // also of a disabled institution: its evidence outlasts its access
  find: `
    SELECT ${INSTITUTION_COLUMNS}
    FROM operator_passes p JOIN financial_institutions f ON f.id = p.fi_id
    WHERE p.pass_hash = ?1 AND p.expires_at > ?2 AND f.fi_reference_id = ?3`,
  insert: `
    INSERT INTO operator_passes (pass_hash, fi_id, expires_at)
    SELECT ?1, id, ?2 FROM financial_institutions WHERE fi_reference_id = ?3`,
  deleteEnded: "DELETE FROM operator_passes WHERE expires_at <= ?1",
  delete: "DELETE FROM operator_passes WHERE pass_hash = ?1",
} as const;

/** A new pass; null if there is no such institution. */
export async function insertPass(db: D1Database, fiReferenceId: string, now: Instant): Promise<string | null> {
  const pass = makeSecret();
  const insert = db
    .prepare(OPERATOR_PASS_STATEMENTS.insert)
    .bind(hashSecret(pass), now + PASS_LIFETIME_MS, fiReferenceId);
  const [, inserted] = await callStore("D1", () =>
    db.batch([db.prepare(OPERATOR_PASS_STATEMENTS.deleteEnded).bind(now), insert]),
  );
  return inserted?.meta.changes === 1 ? pass : null;
}

export async function deletePass(db: D1Database, pass: string): Promise<void> {
  await callStore("D1", () => db.prepare(OPERATOR_PASS_STATEMENTS.delete).bind(hashSecret(pass)).run());
}

/** The institution whose ledger the pass opens; null if it opens none of this reference. Throws {@link StoreError}. */
export async function findPass(
  db: D1Database,
  pass: string,
  fiReferenceId: string,
  now: Instant,
): Promise<FinancialInstitution | null> {
  const find = db.prepare(OPERATOR_PASS_STATEMENTS.find).bind(hashSecret(pass), now, fiReferenceId);
  const row = await callStore("D1", () => find.first<SelectedInstitution>());
  // a pass only reads: nothing has to be recorded first
  return row && { ...readInstitution(row), ledgerRequired: false };
}
