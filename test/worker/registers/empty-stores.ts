/** Empties the stores in the middle of a test file; of D1, imports of registers need two tables only. */
import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

export async function emptyStores(): Promise<void> {
  await reset();
  const queries = env.TEST_MIGRATIONS.flatMap((migration) => migration.queries);
  const needed = queries.filter((sql) => /CREATE TABLE register_(imports|numbers)/.test(sql));
  await env.DB.batch(needed.map((query) => env.DB.prepare(query)));
}
