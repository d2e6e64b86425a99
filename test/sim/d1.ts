/** D1: one primary, which carries out calls in the order of their arrival. A batch is a transaction. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  type Find,
  isRead,
  PreparedStatement,
  prepareFind,
  type Row,
  toD1Error,
} from "../../src/cli/database/sqlite-rows.ts";
import type { Caller, Travel } from "./travel.ts";

interface Result {
  readonly success: true;
  readonly results: Row[];
  readonly meta: Readonly<Record<string, number | boolean>>;
}

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
    const made = { find: prepareFind(this.database, sql, (bytes) => [...bytes]), reads: isRead(sql) };
    this.#statements.set(sql, made);
    return made;
  }

  /** In one step. */
  run(sql: string, values: readonly SQLInputValue[]): Result {
    const { find, reads } = this.#prepare(sql);
    const results = find(values);
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

type Prepared = PreparedStatement<Result>;

const briefs = new Map<string, string>();

/** For the trace. */
function brief(sql: string): string {
  const made = briefs.get(sql) ?? sql.replaceAll(/\s+/g, " ").trim().slice(0, 70);
  briefs.set(sql, made);
  return made;
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
    return new PreparedStatement((statement) => this.#send(statement), sql);
  }

  /** Sessions are of the primary only. */
  withSession(): D1Binding {
    return this;
  }

  #send({ sql, values }: Prepared): Promise<Result> {
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
        throw toD1Error(error);
      }
    });
  }
}
