/** Values, rows and errors of `node:sqlite` as D1 has them. The simulation's stores use it, too. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";

export type Row = Record<string, unknown>;
/** All rows of a statement for these values. */
export type Find = (values: readonly SQLInputValue[]) => Row[];

/** Rows are plain objects, which are made in a third of the time of SQLite's own. `toBytes`: what the store gives for a BLOB. */
export function prepareFind(database: DatabaseSync, sql: string, toBytes: (bytes: Uint8Array) => unknown): Find {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  let names: readonly string[] | null = null;
  return (values) => {
    const rows = statement.all(...values) as unknown as unknown[][];
    if (rows.length === 0) return [];
    names ??= statement.columns().map(({ name }) => name);
    const made: Row[] = [];
    for (const row of rows) {
      const object: Row = {};
      for (let i = 0; i < names.length; i++) {
        const value = row[i];
        object[names[i] as string] = value instanceof Uint8Array ? toBytes(value) : value;
      }
      made.push(object);
    }
    return made;
  };
}

/** Throws on undefined, as D1's `bind` does. */
function toSql(value: unknown): SQLInputValue {
  if (value === undefined) throw new TypeError("D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'");
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value as SQLInputValue;
}

/** A SELECT changes nothing. */
export const isRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql);

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
/** Of what another connection has locked; an extended code has it in its low byte. */
const BUSY = 5;

/** SQLite's error in D1's words. */
export function toD1Error(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const code = (error as { errcode?: number }).errcode ?? 0;
  const constraint = CONSTRAINTS[code];
  const name = constraint ? `SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_${constraint})` : "SQLITE_ERROR";
  return new Error(`D1_ERROR: ${message}: ${code % 256 === BUSY ? "SQLITE_BUSY" : name}`, { cause: error });
}

/** A statement of D1 with its values; `send` carries it out. */
export class PreparedStatement<Result extends { readonly results: readonly Row[] }> {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
  readonly #send: (statement: PreparedStatement<Result>) => Promise<Result>;

  constructor(
    send: (statement: PreparedStatement<Result>) => Promise<Result>,
    sql: string,
    values: readonly SQLInputValue[] = [],
  ) {
    this.#send = send;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: unknown[]): PreparedStatement<Result> {
    return new PreparedStatement(this.#send, this.sql, values.map(toSql));
  }

  all(): Promise<Result> {
    return this.#send(this);
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
