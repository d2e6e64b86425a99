/**
 * A local D1 as the commands have it. A SELECT reads the SQLite file itself, whose locks are those of `npm start`; all else
 * is workerd's, whose start takes longer than most commands. Only workerd writes, so the file is what it would be without.
 */

import { createHash, createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** Name of the file of the D1 with this id: workerd's for a Durable Object of this name. */
export function localFileOf(id: string): string {
  const key = createHash("sha256").update("miniflare-D1DatabaseObject").digest();
  const sign = (part: string | Uint8Array) => createHmac("sha256", key).update(part).digest().subarray(0, 16);
  const name = sign(id);
  return `${Buffer.concat([name, sign(name)]).toString("hex")}.sqlite`;
}

type Row = Record<string, unknown>;
/** Of D1's `meta` what a read can tell. */
interface Answer {
  readonly success: true;
  readonly results: Row[];
  readonly meta: { readonly changes: 0; readonly changed_db: false; readonly size_after: number };
}

/** SQLite's codes of a lock that another process holds: SQLITE_BUSY, SQLITE_LOCKED. */
const LOCKED = [5, 6];
const READS = /^\s*SELECT\b/i;
const SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";

export class LocalDatabase {
  readonly #path: string;
  readonly #workerd: () => Promise<D1Database>;
  #file: DatabaseSync | null = null;

  /** `path`: of the SQLite file, which workerd makes. `workerd`: the same database there. */
  constructor(path: string, workerd: () => Promise<D1Database>) {
    this.#path = path;
    this.#workerd = workerd;
  }

  prepare(sql: string): LocalStatement {
    return new LocalStatement(this, sql);
  }

  /** There is one copy. */
  withSession(): LocalDatabase {
    return this;
  }

  async exec(sql: string): Promise<D1ExecResult> {
    return (await this.#workerd()).exec(sql);
  }

  /** Reads see one state, as in a transaction of D1. */
  async batch(statements: readonly LocalStatement[]): Promise<unknown[]> {
    const file = statements.every(({ sql }) => READS.test(sql)) ? await this.#open() : null;
    if (!file) {
      const db = await this.#workerd();
      return await db.batch(statements.map(({ sql, values }) => db.prepare(sql).bind(...values)));
    }
    return asD1(() => {
      file.exec("BEGIN");
      try {
        return statements.map(({ sql, values }) => read(file, sql, values));
      } finally {
        file.exec("COMMIT");
      }
    });
  }

  /** Runs one statement. */
  async ask(sql: string, values: readonly unknown[]): Promise<Pick<Answer, "results">> {
    const file = READS.test(sql) ? await this.#open() : null;
    if (file) return asD1(() => read(file, sql, values));
    const db = await this.#workerd();
    return await db
      .prepare(sql)
      .bind(...values)
      .run();
  }

  /** Null before workerd has made the file. */
  async #open(): Promise<DatabaseSync | null> {
    if (this.#file || !existsSync(this.#path)) return this.#file;
    const { DatabaseSync } = await import("node:sqlite");
    this.#file ??= asD1(() => new DatabaseSync(this.#path, { readOnly: true }));
    return this.#file;
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }
}

class LocalStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly #database: LocalDatabase;

  constructor(database: LocalDatabase, sql: string, values: readonly unknown[] = []) {
    this.#database = database;
    this.sql = sql;
    this.values = values;
  }

  /** Throws on undefined, as D1 does. */
  bind(...values: unknown[]): LocalStatement {
    if (values.includes(undefined))
      throw new Error("D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'");
    return new LocalStatement(this.#database, this.sql, values);
  }

  all(): Promise<Pick<Answer, "results">> {
    return this.#database.ask(this.sql, this.values);
  }

  run(): Promise<Pick<Answer, "results">> {
    return this.all();
  }

  async first(column?: string): Promise<unknown> {
    const [row = null] = (await this.all()).results;
    return column === undefined ? row : (row?.[column] ?? null);
  }

  async raw(): Promise<unknown[][]> {
    return (await this.all()).results.map((row) => Object.values(row));
  }
}

function read(file: DatabaseSync, sql: string, values: readonly unknown[]): Answer {
  const rows = file.prepare(sql).all(...values.map(toSql)) as Row[];
  const results = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value]),
    ),
  );
  const [[size] = [0]] = file
    .prepare(SIZE)
    .all()
    .map((row) => Object.values(row) as number[]);
  return { success: true, results, meta: { changes: 0, changed_db: false, size_after: size ?? 0 } };
}

function toSql(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SQLInputValue);
}

/** Failures with D1's words, by which the service and busy-stores.ts know them. */
function asD1<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { message, errcode = 0 } = error as Error & { errcode?: number };
    const name = LOCKED.includes(errcode & 0xff) ? "SQLITE_BUSY" : "SQLITE_ERROR";
    throw new Error(`D1_ERROR: ${message}: ${name}`, { cause: error });
  }
}
