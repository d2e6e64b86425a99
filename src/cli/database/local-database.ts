/**
 * A local D1 as the commands have it: its SQLite file, without workerd, whose start takes longer than most commands. The
 * file, its locks and its log are those of `npm start` and of wrangler, which may be running.
 */

import { createHash, createHmac } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isRead, PreparedStatement, prepareFind, type Row, toD1Error } from "./sqlite-rows.ts";

/** Name of the file of the D1 with this id: workerd's for a Durable Object of this name. */
export function localFileOf(id: string): string {
  const key = createHash("sha256").update("miniflare-D1DatabaseObject").digest();
  const sign = (part: string | Uint8Array) => createHmac("sha256", key).update(part).digest().subarray(0, 16);
  const name = sign(id);
  return `${Buffer.concat([name, sign(name)]).toString("hex")}.sqlite`;
}

/** What D1 takes: developers.cloudflare.com/d1/platform/limits/ */
const LIMITS = { variableNumber: 100, sqlLength: 100_000 };
const SIZE = "SELECT page_count * page_size AS count FROM pragma_page_count, pragma_page_size";
const CHANGES = "SELECT total_changes() AS count";

interface Result {
  readonly success: true;
  readonly results: Row[];
  /** The part of D1's that is used; `changes` counts rows, `size_after` bytes. */
  readonly meta: { readonly changes: number; readonly changed_db: boolean; readonly size_after: number };
}

type Statement = PreparedStatement<Result>;

/** The file, and what is counted after each statement. */
interface Opened {
  readonly sqlite: DatabaseSync;
  /** Rows that this connection has changed. */
  readonly countChanges: () => number;
  readonly countBytes: () => number;
}

/**
 * For moments SQLite itself waits for another process's lock, at instants ever further apart. After them busy-stores.ts
 * asks again: its own pauses are equal, and could meet every lock of a service that writes as evenly.
 */
const LOCK_WAIT_MS = 250;

/** Of D1 what the service and its commands use. A lock of another process fails soon, in workerd at once (busy-stores.ts). */
export class LocalDatabase {
  readonly #path: string;
  #opened: Opened | null = null;

  /** `path`: of the file, which is made when it is first asked. */
  constructor(path: string) {
    this.#path = path;
  }

  prepare(sql: string): Statement {
    return new PreparedStatement((statement) => this.#ask((opened) => run(opened, statement)), sql);
  }

  /** There is one copy. */
  withSession(): LocalDatabase {
    return this;
  }

  /** All or nothing, in one state of the database. */
  batch(statements: readonly Statement[]): Promise<Result[]> {
    return this.#ask((opened) => {
      const { sqlite } = opened;
      if (statements.length === 0) throw new Error("No SQL statements detected.");
      // a transaction that reads first could not write after another's write
      sqlite.exec(statements.every(({ sql }) => isRead(sql)) ? "BEGIN" : "BEGIN IMMEDIATE");
      try {
        const results = statements.map((statement) => run(opened, statement));
        sqlite.exec("COMMIT");
        return results;
      } finally {
        if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
      }
    });
  }

  async #ask<Answer>(work: (opened: Opened) => Answer): Promise<Answer> {
    const { DatabaseSync } = await import("node:sqlite");
    try {
      this.#opened ??= open(DatabaseSync, this.#path);
      return work(this.#opened);
    } catch (error) {
      throw toD1Error(error);
    }
  }

  close(): void {
    this.#opened?.sqlite.close();
    this.#opened = null;
  }
}

function open(Sqlite: typeof DatabaseSync, path: string): Opened {
  mkdirSync(dirname(path), { recursive: true });
  const sqlite = new Sqlite(path, { limits: LIMITS, timeout: LOCK_WAIT_MS });
  try {
    // as workerd makes a new one
    sqlite.exec("PRAGMA journal_mode = WAL");
    return { sqlite, countChanges: prepareCount(sqlite, CHANGES), countBytes: prepareCount(sqlite, SIZE) };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function prepareCount(sqlite: DatabaseSync, sql: string): () => number {
  const statement = sqlite.prepare(sql);
  return () => Number(statement.get()?.["count"]);
}

function run({ sqlite, countChanges, countBytes }: Opened, { sql, values }: Statement): Result {
  const before = isRead(sql) ? null : countChanges();
  const results = prepareFind(sqlite, sql, (bytes) => [...bytes])(values);
  const changes = before === null ? 0 : countChanges() - before;
  return { success: true, results, meta: { changes, changed_db: changes > 0, size_after: countBytes() } };
}
