/** D1 and KV that count what the platform bills, for a Worker that runs by itself. */

export interface StoreCounts {
  /** Calls of stores: of these the platform allows a thousand in an invocation. */
  calls: number;
  rowsRead: number;
  rowsWritten: number;
  keysRead: number;
  keysWritten: number;
}

export const noCounts = (): StoreCounts => ({ calls: 0, rowsRead: 0, rowsWritten: 0, keysRead: 0, keysWritten: 0 });

type Stores = Pick<Env, "DB" | "KV">;

export const countStores = <Given extends Stores>(env: Given, counts: StoreCounts): Given => ({
  ...env,
  DB: countDatabase(env.DB, counts),
  KV: countKeys(env.KV, counts),
});

const originals = new WeakMap<object, D1PreparedStatement>();

function countDatabase(db: D1Database, counts: StoreCounts): D1Database {
  const add = <Row>(result: D1Result<Row>): D1Result<Row> => {
    counts.rowsRead += result.meta.rows_read;
    counts.rowsWritten += result.meta.rows_written;
    return result;
  };
  const ask = async <Row>(statement: D1PreparedStatement) => {
    counts.calls++;
    return add(await statement.all<Row>());
  };
  const countStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const counted = {
      bind: (...values: unknown[]) => countStatement(statement.bind(...values)),
      all: () => ask(statement),
      run: () => ask(statement),
      // the count of rows comes with `all` only
      first: async (column?: string) => {
        const [row] = (await ask<Record<string, unknown>>(statement)).results;
        return row === undefined ? null : column === undefined ? row : row[column];
      },
    } as unknown as D1PreparedStatement;
    originals.set(counted, statement);
    return counted;
  };
  return {
    prepare: (sql: string) => countStatement(db.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) => {
      counts.calls++;
      return (await db.batch(statements.map((one) => originals.get(one) ?? one))).map(add);
    },
  } as unknown as D1Database;
}

function countKeys(kv: KVNamespace, counts: StoreCounts): KVNamespace {
  const count = (keys: string | string[], kind: "keysRead" | "keysWritten") => {
    counts.calls++;
    counts[kind] += Array.isArray(keys) ? keys.length : 1;
  };
  return new Proxy(kv, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== "function") return method;
      return (...given: [string | string[]]) => {
        if (name === "list") counts.calls++;
        else count(given[0], name === "put" || name === "delete" ? "keysWritten" : "keysRead");
        return Reflect.apply(method, target, given) as unknown;
      };
    },
  });
}
