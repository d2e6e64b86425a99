/**
 * The D1 databases. The first (`DB`) holds the institutions, their credentials, the console and the refreshes. The
 * tokens, consents, permissions, tickets and blocks of an institution are in its own: `DB`, or `DB_n` for n > 1.
 * Its row says which one, and is read when it is authenticated, so no request looks anything up for it.
 */
import { callStore, StoreError } from "../platform/stores.ts";

/** One D1 holds 10 GB and writes one after another; so many are 10 TB. */
export const MAX_DATABASES = 999;

/** Of one D1 database: https://developers.cloudflare.com/d1/platform/limits/ */
export const MAX_DATABASE_BYTES = 10e9;

/** What lies in a database: 1 for `DB`, n for `DB_n`. */
export interface Placed {
  readonly database: number;
}

type DatabaseBindings = Pick<Env, "DB">;

export interface Database {
  readonly number: number;
  /** Its binding's name in wrangler.toml. */
  readonly binding: string;
  readonly db: D1Database;
}

export const bindingOf = (number: number): string => (number === 1 ? "DB" : `DB_${number}`);

/** The number of the database with this binding; null for the name of something else. */
export function numberOf(binding: string): number | null {
  if (binding === "DB") return 1;
  const [, digits] = /^DB_([1-9]\d{0,2})$/.exec(binding) ?? [];
  const number = Number(digits);
  return number >= 2 ? number : null;
}

/** The only place that reads `DB_n` of the bindings: src/env.d.ts is made from a wrangler.toml with one database. */
const findBinding = (env: DatabaseBindings, number: number): D1Database | undefined =>
  number === 1 ? env.DB : (env as unknown as Record<string, D1Database | undefined>)[bindingOf(number)];

/** The database in which something is placed. Throws {@link StoreError} if the deployment does not have it. */
export function databaseOf(env: DatabaseBindings, { database }: Placed): D1Database {
  const db = findBinding(env, database);
  if (db) return db;
  const binding = bindingOf(database);
  throw new StoreError(
    `D1: an institution is in the database ${database}, and this deployment has no binding ${binding}: put it back into wrangler.toml and deploy`,
  );
}

/** All databases of the deployment, the first one first. */
export const listDatabases = (env: DatabaseBindings): Database[] =>
  Object.keys(env)
    .flatMap((name) => numberOf(name) ?? [])
    .sort((a, b) => a - b)
    .flatMap((number) => {
      const db = findBinding(env, number);
      return db ? [{ number, binding: bindingOf(number), db }] : [];
    });

/** The bindings of the databases beside the first that do not answer; with one database nothing is asked. */
export async function findSilentDatabases(env: DatabaseBindings): Promise<string[]> {
  const others = listDatabases(env).slice(1);
  const silent = await Promise.all(
    others.map(({ binding, db }) =>
      callStore(binding, () => db.prepare("SELECT 1").first()).then(
        () => [],
        () => [binding],
      ),
    ),
  );
  return silent.flat();
}
