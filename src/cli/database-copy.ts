/**
 * D1 as SQL text, in the form of `wrangler d1 export`, and back. Local ones through the binding, because wrangler's
 * command takes no folder of state; those of a deployment by wrangler itself.
 */
import { readFile, writeFile } from "node:fs/promises";
import type { Database } from "../institutions/databases.ts";
import { fail } from "./fail.ts";
import { splitStatements } from "./sql-statements.ts";
import { environmentOption, type Target } from "./target.ts";
import { wrangler } from "./wrangler.ts";

// what `wrangler d1 export --local` asks, to the letter: with schema, with data, all tables
const EXPORT = "PRAGMA miniflare_d1_export(?,?,?);";
const STATEMENTS_AT_ONCE = 500;
/** D1's own tables begin with _cf_. */
const TABLES = `
  SELECT name FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ORDER BY sql LIKE '%REFERENCES %' DESC, sql LIKE '%REFERENCES credentials%' DESC, name`;

/** Those that refer to others first, so that they can be dropped in this order. */
export const findTables = async (db: D1Database): Promise<string[]> =>
  (await db.prepare(TABLES).all<{ name: string }>()).results.map(({ name }) => name);

/** Writes the file. */
export async function exportDatabase({ db, binding }: Database, file: string, target: Target): Promise<void> {
  if (target.remote) {
    const args = ["d1", "export", binding, "--remote", "--output", file, ...environmentOption(target.environment)];
    const { code, output } = await wrangler(args);
    if (code !== 0) fail(`wrangler could not export ${binding}:\n${output}`);
    return;
  }
  const [statements = []] = await db.prepare(EXPORT).bind(0, 0).raw<string[]>();
  await writeFile(file, `${statements.join("\n")}\n`, { mode: 0o600 });
}

/** The migrations that were applied to the exported database. */
export const readMigrations = async (file: string): Promise<string[]> =>
  [...(await readFile(file, "utf8")).matchAll(/^INSERT INTO "d1_migrations".*'([^']+\.sql)'/gm)].map(
    ([, name = ""]) => name,
  );

/**
 * Replaces the whole database. The record of migrations is written last: until then every other command refuses the
 * database, so an interrupted restore is not taken for a whole one.
 */
export async function importDatabase({ db, binding }: Database, file: string, target: Target): Promise<void> {
  const sql = (await readFile(file, "utf8")).replaceAll(OF_CONSOLE, "");
  const drops = (await findTables(db)).map((table) => `DROP TABLE "${table}"`);
  if (target.remote)
    return await importByWrangler([...drops.map((drop) => `${drop};`), sql].join("\n"), binding, file, target);
  await db.batch([DEFER, ...drops].map((statement) => db.prepare(statement)));
  const statements = splitStatements(sql).filter(
    (statement) => !/^(PRAGMA|DELETE FROM sqlite_sequence|INSERT INTO "sqlite_)/.test(statement),
  );
  const isRecord = (statement: string) => /^INSERT INTO "d1_migrations"/.test(statement);
  const ordered = [...statements.filter((one) => !isRecord(one)), ...statements.filter(isRecord)];
  for (let from = 0; from < ordered.length; from += STATEMENTS_AT_ONCE) {
    const some = ordered.slice(from, from + STATEMENTS_AT_ONCE);
    await db.batch([DEFER, ...some].map((statement) => db.prepare(statement)));
  }
}

/**
 * Not restored: whoever was signed in to the console signs in again, and a kept result of checks may be longer than D1 lets
 * a statement be, 100,000 bytes. Each is one line.
 */
const OF_CONSOLE = /^INSERT INTO "?console_(?:checks|sessions)\b.*\n/gm;

/** Of one transaction: what refers to what is checked at its end. */
const DEFER = "PRAGMA defer_foreign_keys = on";

async function importByWrangler(sql: string, binding: string, file: string, { environment }: Target): Promise<void> {
  const whole = `${file}.restore.sql`;
  await writeFile(whole, sql, { mode: 0o600 });
  const args = ["d1", "execute", binding, "--remote", "--yes", "--file", whole, ...environmentOption(environment)];
  const { code, output } = await wrangler(args);
  if (code !== 0) fail(`wrangler could not restore ${binding}:\n${output}`);
}
