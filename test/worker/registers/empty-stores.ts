/** Empties the stores in the middle of a test file; of D1, imports of registers need one table only. */
import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

export async function emptyStores(): Promise<void> {
  await reset();
  const queries = env.TEST_MIGRATIONS.flatMap((migration) => migration.queries);
  const query = queries.find((sql) => sql.includes("CREATE TABLE register_imports"));
  await env.DB.prepare(query ?? "").run();
}
