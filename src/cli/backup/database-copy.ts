/** D1 as a file of SQL and back, in the form of `wrangler d1 export`. Some statements at a time are in memory. */

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../institutions/databases.ts";
import { localFileOf } from "../database/local-database.ts";
import { readDeploymentTables } from "../deployment/tables.ts";
import { fail } from "../fail.ts";
import { DATABASE_FOLDER } from "../stores.ts";
import type { Target } from "../target.ts";
import { shortenStatement } from "./short-statements.ts";
import { readStatements } from "./sql-statements.ts";

const CHARACTERS_AT_ONCE = 2 ** 20;
/** D1's own tables begin with _cf_. */
const NOT_OURS = "name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
const TABLES = `
  SELECT name FROM sqlite_schema WHERE type = 'table' AND ${NOT_OURS}
  ORDER BY sql LIKE '%REFERENCES %' DESC, sql LIKE '%REFERENCES credentials%' DESC, name`;

/** Those that refer to others first, so that they can be dropped in this order. */
export const findTables = async (db: D1Database): Promise<string[]> =>
  (await db.prepare(TABLES).all<{ name: string }>()).results.map(({ name }) => name);

/** Writes the file. A running service goes on meanwhile; the file has the state of one moment. */
export async function exportDatabase(database: Database, file: string, target: Target): Promise<void> {
  if (target.remote) {
    const { exportDeployed } = await import("../deployment/deployed-databases.ts");
    return await exportDeployed(database, file);
  }
  const output = await open(file, "wx", 0o600);
  try {
    for await (const chunk of joinChunks(readLines(findFile(database.binding)))) await output.write(chunk);
  } finally {
    await output.close();
  }
}

function findFile(binding: string): string {
  const id = readDeploymentTables(null).databases[binding] ?? fail(`wrangler.toml does not have ${binding}`);
  return join(DATABASE_FOLDER, localFileOf(id));
}

/** Read from the file itself: a transaction keeps one state, and rows come one by one. */
async function* readLines(path: string): AsyncGenerator<string> {
  const { DatabaseSync } = await import("node:sqlite");
  const sqlite = new DatabaseSync(path, { readOnly: true });
  try {
    sqlite.exec("BEGIN");
    const all = `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND ${NOT_OURS} ORDER BY rowid`;
    const schema = sqlite.prepare(all).all() as unknown as { type: string; name: string; sql: string }[];
    yield "PRAGMA defer_foreign_keys=TRUE;\n";
    for (const { name, sql } of schema.filter(({ type }) => type === "table")) {
      yield `${sql};\n`;
      const columns = sqlite.prepare(`PRAGMA table_info("${name}")`).all() as unknown as { name: string }[];
      const quoted = columns.map((column) => quoteColumn(column.name)).join(" || ',' || ");
      const insert = `INSERT INTO "${name}" (${columns.map((column) => `"${column.name}"`).join(",")}) VALUES(`;
      for (const { row } of sqlite.prepare(`SELECT ${quoted} AS row FROM "${name}"`).iterate())
        yield `${insert}${row});\n`;
    }
    for (const { sql } of schema.filter(({ type }) => type !== "table")) yield `${sql};\n`;
  } finally {
    sqlite.close();
  }
}

/** quote() ends a text at its first NUL. */
const quoteColumn = (name: string): string =>
  `CASE WHEN typeof("${name}") = 'text' AND instr("${name}", char(0)) > 0
     THEN 'CAST(X''' || hex("${name}") || ''' AS TEXT)' ELSE quote("${name}") END`;

async function* joinChunks(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let [chunk, length]: [string[], number] = [[], 0];
  for await (const text of texts) {
    chunk.push(text);
    length += text.length;
    if (length < CHARACTERS_AT_ONCE) continue;
    yield Buffer.from(chunk.join(""));
    [chunk, length] = [[], 0];
  }
  if (length > 0) yield Buffer.from(chunk.join(""));
}

/** What a dump holds, by table, and the migrations that were applied to its database. */
export interface Dump {
  readonly rows: Readonly<Record<string, number>>;
  readonly migrations: readonly string[];
}

export async function readDump(file: string): Promise<Dump> {
  const rows: Record<string, number> = {};
  const migrations: string[] = [];
  for await (const statement of readFileStatements(file)) {
    const [, table] = INSERT.exec(statement) ?? [];
    if (table === undefined || table.startsWith("sqlite_")) continue;
    rows[table] = (rows[table] ?? 0) + 1;
    const [, migration] = table === RECORD ? (/'([^']+\.sql)'/.exec(statement) ?? []) : [];
    if (migration !== undefined) migrations.push(migration);
  }
  return { rows, migrations };
}

const INSERT = /^INSERT INTO "?(\w+)/;
const RECORD = "d1_migrations";

const readFileStatements = (file: string): AsyncGenerator<string> =>
  readStatements(createReadStream(file, { encoding: "utf8", highWaterMark: 2 ** 18 }));

/** Not restored: whoever was signed in to the console signs in again. */
const SESSIONS = "console_sessions";

/** Without the record of migrations, which is written at the end of the restore (migrations.ts). */
async function* readRestored(file: string): AsyncGenerator<string> {
  for await (const statement of readFileStatements(file)) {
    const [, table = ""] = INSERT.exec(statement) ?? [];
    if (table !== RECORD && table !== SESSIONS) yield statement;
  }
}

/** How long another process may hold the database, such as a service that was not stopped. */
const LOCKED_AT_MOST_MS = 10_000;

/** Replaces the whole database but for the record of its migrations, or nothing of it. The local one in its file: each statement through workerd takes a millisecond. */
export async function importDatabase(database: Database, file: string, target: Target): Promise<void> {
  const { UNDER_WAY } = await import("../database/migrations.ts");
  const { binding, db } = database;
  const drops = (await findTables(db)).map((table) => `DROP TABLE "${table}"`);
  const first = [...drops, `CREATE TABLE ${UNDER_WAY} (begun INTEGER) STRICT`];
  if (target.remote) {
    const { importDeployed } = await import("../deployment/deployed-databases.ts");
    return await importDeployed(database, () => joinChunks(endStatements(first, file)));
  }
  const { DatabaseSync } = await import("node:sqlite");
  const sqlite = new DatabaseSync(findFile(binding), { timeout: LOCKED_AT_MOST_MS });
  try {
    // what refers to what is checked at the end of the transaction
    sqlite.exec("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = on");
    for (const statement of first) sqlite.exec(statement);
    for await (const statement of readRestored(file))
      if (!/^(PRAGMA|DELETE FROM sqlite_sequence|INSERT INTO "sqlite_)/.test(statement)) sqlite.exec(statement);
    sqlite.exec("COMMIT");
  } catch (error) {
    return fail(`${binding} is as it was: ${(error as Error).message}`);
  } finally {
    sqlite.close();
  }
}

async function* endStatements(first: readonly string[], file: string): AsyncGenerator<string> {
  for (const statement of first) yield `${statement};\n`;
  for await (const statement of readRestored(file))
    for (const short of shortenStatement(statement)) yield `${short};\n`;
}
