/** The part of D1 that the grants need, over Node's SQLite with the service's own migrations. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";

const FOLDER = join(import.meta.dirname, "../../../src/migrations");
const NAMES = readdirSync(FOLDER).sort();
const MIGRATIONS = NAMES.map((file) => readFileSync(join(FOLDER, file), "utf8"));

/** A database after all migrations. A property opens hundreds, and to migrate each would be most of its time. */
const MIGRATED = migrate().serialize();

function migrate(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  for (const migration of MIGRATIONS) db.exec(migration);
  // as wrangler records them
  db.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE) STRICT");
  for (const name of NAMES) db.prepare("INSERT INTO d1_migrations (name) VALUES (?1)").run(name);
  return db;
}

export function openDatabase(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  db.deserialize(MIGRATED);
  return db;
}

/** Runs each batch as one transaction, when `reach` lets it: that is where calls are delayed, reordered and lost. */
export function asD1(db: DatabaseSync, reach: <Result>(carryOut: () => Result) => Promise<Result>): D1Database {
  interface Statement {
    sql: string;
    values: (string | number | null)[];
  }
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const run = (statements: readonly Statement[]) => {
    db.exec("BEGIN");
    try {
      const results = statements.map(({ sql, values }) => ({ results: prepare(sql).all(...values) }));
      db.exec("COMMIT");
      return results;
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  };
  const one = (statement: Statement) => reach(() => run([statement])[0]);
  const bound = (statement: Statement) => ({
    ...statement,
    all: () => one(statement),
    run: () => one(statement),
    first: async (column?: string) => {
      const row = (await one(statement))?.results[0] ?? null;
      return column === undefined || row === null ? row : (row[column] ?? null);
    },
  });
  const d1 = {
    prepare: (sql: string) => ({ bind: (...values: Statement["values"]) => bound({ sql, values }) }),
    batch: (statements: Statement[]) => reach(() => run(statements)),
    withSession: () => d1,
  };
  return d1 as unknown as D1Database;
}
