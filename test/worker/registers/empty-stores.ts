/** Empties the stores in the middle of a test file; of D1, imports of registers need one table only. */
import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

export async function emptyStores(): Promise<void> {
  await reset();
  const { queries = [] } = env.TEST_MIGRATIONS.find(({ name }) => name.startsWith("0019_")) ?? {};
  await env.DB.batch(queries.map((query) => env.DB.prepare(query)));
}
