/** The migrations of a new database. */
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Applies all in one batch, so in one request to D1 for each database, and records each. Nothing where they were applied. */
export async function migrate(db: D1Database): Promise<void> {
  const names = env.TEST_MIGRATIONS.map(({ name }) => `INSERT INTO d1_migrations (name) VALUES ('${name}')`);
  const queries = [...env.TEST_MIGRATIONS.flatMap(({ queries }) => queries), ...names.slice(0, -1)];
  await applyD1Migrations(db, [{ name: env.TEST_MIGRATIONS.at(-1)?.name ?? "", queries }]);
}
