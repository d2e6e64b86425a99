/**
 * Whether a database has a migration that this release does not know: a newer one migrated it. The name of each migration
 * says whether older releases may go on writing beside it (docs/decisions/databases.md).
 */
import { callStore } from "./stores.ts";

/** The newest file of src/migrations, which is not part of the Worker (test/unit/platform/version.test.ts). */
export const NEWEST_MIGRATION = "0007_met_psps.additive.sql";

/** By the unique index of `name`: no row is read where there is none. */
const NEWER = `SELECT 1 FROM d1_migrations WHERE name > '${NEWEST_MIGRATION}'`;

/** SQL: 1 if the database is of a newer release. */
export const SCHEMA_NEWER = `EXISTS (${NEWER})`;

/** Of a migration's name. */
const ADDITIVE = ".additive.sql";

/** Whether an older release may write beside it. One that does not say that it is additive is taken for none. */
export const isAdditive = (migration: string): boolean => migration.endsWith(ADDITIVE);

/** SQL: 1 if this release must not write to it, by the same rule. */
export const WRITES_REFUSED = `EXISTS (${NEWER} AND name NOT GLOB '*${ADDITIVE}')`;

/** For the operator, where writes go on. */
export const SCHEMA_NEWER_TEXT =
  "The database was migrated by a newer release than this one, which goes on beside it: end the deployment of the newer release";

/** For the operator, and for who writes. */
export const WRITES_REFUSED_TEXT =
  "The database was migrated by a newer release than this one, which only reads it: deploy the newer release again";

/** Where no other statement asks. Throws {@link StoreError}. */
export const areWritesRefused = async (db: D1Database): Promise<boolean> =>
  (await callStore("D1", () => db.prepare(`SELECT ${WRITES_REFUSED} AS refused`).first<number>("refused"))) === 1;
