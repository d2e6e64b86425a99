/**
 * Which migrations a database lacks; and applies them to a local one, recorded in wrangler's own table. A database that
 * holds data is migrated by `npm start` and `npm run deploy` only; an empty local one by any command, so that commands
 * work before the first `npm start`.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../institutions/databases.ts";
import { clock } from "../../platform/clock.ts";
import { callStore, retryStore } from "../../platform/stores.ts";
import { splitStatements } from "../backup/sql-statements.ts";

const FOLDER = join(import.meta.dirname, "../../migrations");
// the same table as that of `wrangler d1 migrations apply`
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;
// D1's own tables begin with _cf_
const TABLES = `
  SELECT name FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;

/**
 * What a database lacks: the files' names, oldest first. `empty`: it has no table at all. `below1_0`: it has the tables
 * of a release below 1.0, whose migrations are gone. `halfRestored`: it has the table that `restore` drops at its
 * end.
 */
export interface Pending {
  readonly migrations: readonly string[];
  readonly empty: boolean;
  readonly below1_0: boolean;
  readonly halfRestored: boolean;
}

/** As the operator reads it. */
export const nameMigration = (name: string, { number, binding }: Pick<Database, "number" | "binding">): string =>
  number === 1 ? name : `${name} (${binding})`;

export async function findPending(db: D1Database): Promise<Pending> {
  const tables = (await db.prepare(TABLES).all<{ name: string }>()).results.map(({ name }) => name);
  const recorded = tables.includes("d1_migrations")
    ? (await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>()).results
    : [];
  const applied = new Set(recorded.map(({ name }) => name));
  const files = await listFiles();
  return {
    migrations: files.filter((file) => !applied.has(file)),
    empty: tables.length === 0,
    below1_0: await isBelow1_0([...applied]),
    halfRestored: tables.includes(UNDER_WAY),
  };
}

/** Of all migrations, oldest first. */
export const listFiles = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((file) => file.endsWith(".sql")).sort();

/** Whether a database with these applied migrations was made by a release below 1.0: all others begin with the baseline. */
export async function isBelow1_0(applied: readonly string[]): Promise<boolean> {
  const [baseline = ""] = await listFiles();
  return applied.length > 0 && !applied.includes(baseline);
}

/** What any of them lacks, as the operator reads it. */
export async function listPending(databases: readonly Database[]): Promise<string[]> {
  const pending: string[] = [];
  for (const database of databases)
    pending.push(...(await findPending(database.db)).migrations.map((name) => nameMigration(name, database)));
  return pending;
}

/** There while a database is restored. */
export const UNDER_WAY = "restore_under_way";
const RECORD = "INSERT OR IGNORE INTO d1_migrations (name) VALUES (?1)";

/** The end of a restore: from then on the database is a whole one. */
export async function endRestore(db: D1Database, files: readonly string[]): Promise<void> {
  const records = files.map((file) => db.prepare(RECORD).bind(file));
  const end = () => db.batch([...records, db.prepare(`DROP TABLE IF EXISTS ${UNDER_WAY}`)]);
  await retryStore(() => callStore("D1", end), clock);
}

/** Each file is one transaction. */
export async function migrate(db: D1Database, files: readonly string[]): Promise<void> {
  await db.prepare(MIGRATIONS_TABLE).run();
  for (const file of files) {
    const statements = splitStatements(await readFile(join(FOLDER, file), "utf8"));
    const record = db.prepare("INSERT INTO d1_migrations (name) VALUES (?1)").bind(file);
    await db.batch([...statements.map((statement) => db.prepare(statement)), record]);
  }
}
