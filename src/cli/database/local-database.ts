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
const SIZE = "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size";
const CHANGES = "SELECT total_changes() AS changes";

interface Result {
  readonly success: true;
  readonly results: Row[];
  /** The part of D1's that is used; `changes` counts rows, `size_after` bytes. */
  readonly meta: { readonly changes: number; readonly changed_db: boolean; readonly size_after: number };
}

type Statement = PreparedStatement<Result>;

/** Of D1 what the service and its commands use. A lock of another process fails at once, as in workerd (busy-stores.ts). */
export class LocalDatabase {
  readonly #path: string;
  #sqlite: DatabaseSync | null = null;

  /** `path`: of the file, which is made when it is first asked. */
  constructor(path: string) {
    this.#path = path;
  }

  prepare(sql: string): Statement {
    return new PreparedStatement((statement) => this.#ask((sqlite) => run(sqlite, statement)), sql);
  }

  /** There is one copy. */
  withSession(): LocalDatabase {
    return this;
  }

  /** All or nothing, in one state of the database. */
  batch(statements: readonly Statement[]): Promise<Result[]> {
    return this.#ask((sqlite) => {
      if (statements.length === 0) throw new Error("No SQL statements detected.");
      // a transaction that reads first could not write after another's write
      sqlite.exec(statements.every(({ sql }) => isRead(sql)) ? "BEGIN" : "BEGIN IMMEDIATE");
      try {
        const results = statements.map((statement) => run(sqlite, statement));
        sqlite.exec("COMMIT");
        return results;
      } finally {
        if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
      }
    });
  }

  async #ask<Answer>(work: (sqlite: DatabaseSync) => Answer): Promise<Answer> {
    const { DatabaseSync } = await import("node:sqlite");
    try {
      this.#sqlite ??= open(DatabaseSync, this.#path);
      return work(this.#sqlite);
    } catch (error) {
      throw toD1Error(error);
    }
  }

  close(): void {
    this.#sqlite?.close();
    this.#sqlite = null;
  }
}

function open(Sqlite: typeof DatabaseSync, path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  const sqlite = new Sqlite(path, { limits: LIMITS });
  try {
    // as workerd makes a new one
    sqlite.exec("PRAGMA journal_mode = WAL");
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function run(sqlite: DatabaseSync, { sql, values }: Statement): Result {
  const ask = (question: string) => prepareFind(sqlite, question, (bytes) => [...bytes]);
  const count = (question: string, name: string) => Number(ask(question)([])[0]?.[name]);
  const before = isRead(sql) ? null : count(CHANGES, "changes");
  const results = ask(sql)(values);
  const changes = before === null ? 0 : count(CHANGES, "changes") - before;
  return { success: true, results, meta: { changes, changed_db: changes > 0, size_after: count(SIZE, "bytes") } };
}
