/**
 * Whether the first database has a migration that this release does not know: it was deployed over a newer one. What then
 * keeps rules that it does not know must not be written to. Asked in statements that are sent anyway.
 */

/** The newest file of src/migrations, which is not part of the Worker (test/unit/platform/version.test.ts). */
export const NEWEST_MIGRATION = "0001_baseline.sql";

/** A deployment migrates before the next release takes over: until then this one goes on. Minutes. */
const HANDOVER = 10;

/** By the unique index of `name`: no row is read where there is none. */
export const SCHEMA_AHEAD = `EXISTS (SELECT 1 FROM d1_migrations
  WHERE name > '${NEWEST_MIGRATION}' AND applied_at < datetime('now', '-${HANDOVER} minutes'))`;

/** For the operator, and for who writes. */
export const SCHEMA_NEWER =
  "The database was migrated by a newer release than this one, which only reads it: deploy the newer release again";
