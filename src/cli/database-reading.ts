/** What the operator is told of each database: whether it answers, how full it is, and what is in it. */
import { listDatabases } from "../institutions/databases.ts";

/** For people and as JSON. */
export interface DatabaseReading {
  readonly number: number;
  readonly binding: string;
  /** Placed in it, by the first database. */
  readonly institutions: number;
  /** Of it: null if it does not answer. */
  readonly held: { readonly live_tokens: number; readonly size_bytes: number } | null;
  /** Why it does not answer. */
  readonly error: string | null;
}

const PLACED = "SELECT database, count(*) AS institutions FROM financial_institutions GROUP BY database";
// index: tokens_by_expiry
const LIVE_TOKENS = "SELECT count(*) AS tokens FROM tokens WHERE expires_at > ?1 AND revoked_at IS NULL";

/** `now`: milliseconds since 1970. Throws if the first database does not answer. */
export async function readDatabases(env: Pick<Env, "DB">, now: number): Promise<DatabaseReading[]> {
  const { results } = await env.DB.prepare(PLACED).all<{ database: number; institutions: number }>();
  const placed = new Map(results.map(({ database, institutions }) => [database, institutions]));
  return await Promise.all(
    listDatabases(env).map(async ({ number, binding, db }) => {
      const reading = { number, binding, institutions: placed.get(number) ?? 0 };
      try {
        const { results, meta } = await db.prepare(LIVE_TOKENS).bind(now).all<{ tokens: number }>();
        const held = { live_tokens: results[0]?.tokens ?? 0, size_bytes: meta.size_after ?? 0 };
        return { ...reading, held, error: null };
      } catch (error) {
        return { ...reading, held: null, error: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

const MIB = 1024 * 1024;

/**
 * The number of the database for the next institution: of those that answer the smallest, because its size is what a
 * database runs out of (D1: 10 GB); of some of one size, in whole MiB, that with the fewest institutions.
 */
export function findLeastLoaded(databases: readonly DatabaseReading[]): number {
  const loads = databases.flatMap(({ number, institutions, held }) =>
    held ? [{ number, load: [Math.floor(held.size_bytes / MIB), institutions, number] }] : [],
  );
  const [least] = loads.sort((a, b) => a.load.map((part, i) => part - (b.load[i] ?? 0)).find(Boolean) ?? 0);
  return least?.number ?? 1;
}
