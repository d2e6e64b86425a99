/** D1: one primary, which carries out calls in the order of their arrival. A batch is a transaction. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { type Find, prepareFind, type Row } from "./find-rows.ts";
import type { Caller, Travel } from "./travel.ts";

interface Result {
  readonly success: true;
  readonly results: Row[];
  readonly meta: Readonly<Record<string, number | boolean>>;
}

const READS = /^\s*SELECT/i;
const CHANGES = "SELECT total_changes()";
const INSTANT = "__instant";

export class D1 {
  readonly database: DatabaseSync;
  #now: () => number;
  /** Rows that were changed since it was made. */
  changes = 0;
  readonly #statements = new Map<string, { readonly find: Find; readonly reads: boolean }>();

  /** `now`: milliseconds since 1970, which SQL's own functions read. `content`: of {@link serialize}. */
  constructor(now: () => number, content?: Uint8Array) {
    this.#now = now;
    this.database = new DatabaseSync(":memory:");
    if (content) this.database.deserialize(content);
    this.database.exec("PRAGMA foreign_keys = ON");
    this.database.function("unixepoch", () => Math.floor(this.#now() / 1000));
    // as src/ uses it: ('now', '-10 minutes')
    this.database.function("datetime", { varargs: true }, (from, change) => {
      const [, minutes = "0"] = /^(-?\d+) minutes$/.exec(String(change)) ?? [];
      if (from !== "now") throw new Error(`datetime(${String(from)}) is not simulated`);
      const time = new Date(this.#now() + Number(minutes) * 60_000).toISOString();
      return `${time.slice(0, 10)} ${time.slice(11, 19)}`;
    });
    this.database.exec(`SAVEPOINT ${INSTANT}`);
  }

  serialize(): Uint8Array {
    this.database.exec(`RELEASE ${INSTANT}`);
    return this.database.serialize();
  }

  /** Puts back what was there at first, for another history. */
  begin(now: () => number): void {
    this.#now = now;
    this.database.exec(`ROLLBACK TO ${INSTANT}`);
    this.changes = this.#totalChanges();
  }

  #prepare(sql: string) {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = { find: prepareFind(this.database, sql, (bytes) => [...bytes]), reads: READS.test(sql) };
    this.#statements.set(sql, made);
    return made;
  }

  /** In one step. */
  run(sql: string, values: readonly unknown[]): Result {
    const { find, reads } = this.#prepare(sql);
    const results = find(values.map(toSql));
    const changes = reads ? 0 : this.#countChanges();
    return {
      success: true,
      results,
      meta: {
        changes,
        changed_db: changes > 0,
        last_row_id: 0,
        rows_read: 0,
        rows_written: changes,
        duration: 0,
        size_after: 0,
      },
    };
  }

  /** All or nothing. */
  transaction(calls: readonly Prepared[]): Result[] {
    this.database.exec("SAVEPOINT batch");
    try {
      const results = calls.map(({ sql, values }) => this.run(sql, values));
      this.database.exec("RELEASE batch");
      return results;
    } catch (error) {
      this.database.exec("ROLLBACK TO batch");
      this.database.exec("RELEASE batch");
      throw error;
    }
  }

  /** For who looks at it without being there: invariants. */
  read(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).find(values);
  }

  #totalChanges(): number {
    return Number(this.read(CHANGES)[0]?.["total_changes()"] ?? 0);
  }

  /** Since the last call. */
  #countChanges(): number {
    const before = this.changes;
    this.changes = this.#totalChanges();
    return this.changes - before;
  }
}

function toSql(value: unknown): SQLInputValue {
  if (value === undefined) throw new TypeError("D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'");
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value as SQLInputValue;
}

/** SQLite's extended codes of constraints. */
const CONSTRAINTS: Readonly<Record<number, string>> = {
  275: "CHECK",
  787: "FOREIGNKEY",
  1299: "NOTNULL",
  1555: "PRIMARYKEY",
  1811: "TRIGGER",
  2067: "UNIQUE",
  3091: "DATATYPE",
};

/** As D1 says it. */
function failed(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const constraint = CONSTRAINTS[(error as { errcode?: number }).errcode ?? 0];
  const name = constraint ? `SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_${constraint})` : "SQLITE_ERROR";
  return new Error(`D1_ERROR: ${message}: ${name}`);
}

const briefs = new Map<string, string>();

/** For the trace. */
function brief(sql: string): string {
  const made = briefs.get(sql) ?? sql.replaceAll(/\s+/g, " ").trim().slice(0, 70);
  briefs.set(sql, made);
  return made;
}

class Prepared {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly #binding: D1Binding;

  constructor(binding: D1Binding, sql: string, values: readonly unknown[] = []) {
    this.#binding = binding;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: unknown[]): Prepared {
    for (const value of values) toSql(value);
    return new Prepared(this.#binding, this.sql, values);
  }

  all(): Promise<Result> {
    return this.#binding.send(this);
  }

  run(): Promise<Result> {
    return this.all();
  }

  async first(column?: string): Promise<unknown> {
    const [row] = (await this.all()).results;
    if (row === undefined) return null;
    return column === undefined ? row : (row[column] ?? null);
  }

  async raw(): Promise<unknown[][]> {
    return (await this.all()).results.map((row) => Object.values(row));
  }
}

/** `env.DB` of one caller. */
export class D1Binding {
  readonly #store: D1;
  readonly #travel: Pick<Travel, "call">;
  readonly #caller: Caller;

  constructor(store: D1, travel: Pick<Travel, "call">, caller: Caller) {
    this.#store = store;
    this.#travel = travel;
    this.#caller = caller;
  }

  prepare(sql: string): Prepared {
    return new Prepared(this, sql);
  }

  /** Sessions are of the primary only. */
  withSession(): D1Binding {
    return this;
  }

  send({ sql, values }: Prepared): Promise<Result> {
    return this.#call(brief(sql), () => this.#store.run(sql, values));
  }

  batch(statements: readonly Prepared[]): Promise<Result[]> {
    return this.#call(statements.map(({ sql }) => brief(sql)).join(" | "), () => {
      if (statements.length === 0) throw new Error("No SQL statements detected.");
      return this.#store.transaction(statements);
    });
  }

  #call<Answer>(what: string, act: () => Answer): Promise<Answer> {
    return this.#travel.call(this.#caller, "D1", what, () => {
      try {
        return act();
      } catch (error) {
        throw failed(error);
      }
    });
  }
}
