/**
 * Applies migrations to the local D1 and records them in wrangler's own table, so that a command works before the first
 * `npm start`.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unstable_splitSqlQuery } from "wrangler";

const FOLDER = join(import.meta.dirname, "../migrations");
// the same table as that of `wrangler d1 migrations apply`
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

export async function migrate(db: D1Database): Promise<void> {
  await db.prepare(MIGRATIONS_TABLE).run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".sql") && !applied.has(file)).sort();
  for (const file of files) {
    const statements = unstable_splitSqlQuery(await readFile(join(FOLDER, file), "utf8"));
    const record = db.prepare("INSERT INTO d1_migrations (name) VALUES (?1)").bind(file);
    await db.batch([...statements.map((statement) => db.prepare(statement)), record]);
  }
}
