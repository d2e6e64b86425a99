/** An env that counts what the platform bills: rows of D1, keys of KV, requests and rows of Durable Objects. */
import { vi } from "vitest";
import { InstitutionLedger } from "../../../src/evidence/ledger/institution-ledger.ts";
import { AuthorizationCode } from "../../../src/grants/authorization-code.ts";
import { RateWindow } from "../../../src/http/rate-limit/rate-window.ts";
import { type Billed, NO_BILL } from "./billed.ts";

type Count = { -readonly [Name in keyof Billed]: Billed[Name] };

const nothing = (): Count => ({ ...NO_BILL });

/** Runs `work` over bindings that count, and returns what was billed meanwhile. Reports of source addresses are left out. */
export async function countBilled(env: Cloudflare.Env, work: (counting: Cloudflare.Env) => Promise<unknown>) {
  const count = nothing();
  const spies = [...countObjects(AuthorizationCode, count), ...countObjects(RateWindow, nothing()), countLog(count)];
  try {
    await work({ ...env, DB: countRows(env.DB, count), KV: countKeys(env.KV, count) });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return count;
}

/** The same for a call of an object's method. */
export async function countObject(kind: typeof RateWindow | typeof AuthorizationCode, work: () => Promise<unknown>) {
  const count = nothing();
  const spies = countObjects(kind, count);
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return count;
}

/** What an object of a ledger bills for the work on it. `storage`: its own. */
export async function countLedger(
  storage: DurableObjectStorage,
  env: Cloudflare.Env,
  work: (ledger: InstitutionLedger, count: () => Promise<Billed>) => Promise<void>,
) {
  let count = nothing();
  let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  const sql = new Proxy(storage.sql, {
    get: (target, property) =>
      property !== "exec"
        ? Reflect.get(target, property, target)
        : (...args: Parameters<SqlStorage["exec"]>) => {
            const cursor = target.exec(...args);
            cursors.push(cursor);
            return cursor;
          },
  });
  const counted: Record<string, unknown> = {
    sql,
    ...countAlarms(storage, () => count),
    transactionSync: (closure: () => unknown) => storage.transactionSync(closure),
  };
  const counting = new Proxy(storage, { get: (_, property) => counted[String(property)] });
  const EVIDENCE = countBucket(env.EVIDENCE, () => count);
  const ledger = new InstitutionLedger(counting, { ...env, EVIDENCE });
  await work(ledger, async () => {
    for (const { rowsRead, rowsWritten } of cursors) {
      count.doRowsRead += rowsRead;
      count.doRowsWritten += rowsWritten;
    }
    const counted = { ...count, doRequests: 1 };
    [count, cursors] = [nothing(), []];
    return counted;
  });
}

/** Of what is written behind an answer, too: `work` waits for it. */
export async function countEvidence(
  env: Cloudflare.Env,
  work: (counting: Cloudflare.Env) => Promise<unknown>,
): Promise<Billed> {
  const count = nothing();
  await work({ ...env, EVIDENCE: countBucket(env.EVIDENCE, () => count) });
  return count;
}

function countBucket(bucket: R2Bucket, countOf: () => Count): R2Bucket {
  return new Proxy(bucket, {
    get(target, property) {
      if (property !== "head" && property !== "get" && property !== "put")
        throw new Error(`R2's ${String(property)} is not counted yet: add it here`);
      return (key: string, ...args: [Uint8Array?]) => {
        const count = countOf();
        if (property === "put") {
          count.r2ClassA++;
          count.r2Bytes += args[0]?.length ?? 0;
        } else count.r2ClassB++;
        return Reflect.apply(Reflect.get(target, property), target, [key, ...args]);
      };
    },
  });
}

/** Of a statement of the ledger on D1, behind the answer. */
export async function countTag(env: Cloudflare.Env, work: (db: D1Database) => Promise<unknown>): Promise<Billed> {
  const count = nothing();
  await work(countRows(env.DB, count, true));
  return count;
}

const statements = new WeakMap<object, D1PreparedStatement>();

/** `first` is asked as `all`, for the platform's count comes with that only. */
function countRows<Target extends object>(target: Target, count: Count, ledger = false): Target {
  const add = <Result extends D1Result<unknown>>(result: Result): Result => {
    count.d1RowsRead += result.meta.rows_read;
    count.d1RowsWritten += result.meta.rows_written;
    return result;
  };
  const counting: Record<string, (...args: never[]) => unknown> = {
    all: async () => add(await (target as D1PreparedStatement).all()),
    run: async () => add(await (target as D1PreparedStatement).run()),
    first: async (column?: string) => {
      const [row] = add(await (target as D1PreparedStatement).all<Record<string, unknown>>()).results;
      return row === undefined ? null : column === undefined ? row : row[column];
    },
    batch: async (given: D1PreparedStatement[]) =>
      given.every((one) => !statements.has(one))
        ? await (target as D1Database).batch(given)
        : (await (target as D1Database).batch(given.map((one) => statements.get(one) ?? one))).map(add),
  };
  const wrapped = new Proxy(target, {
    get(object, property) {
      const value = Reflect.get(object, property, object);
      if (typeof value !== "function" || typeof property !== "string") return value;
      if (property in counting) return counting[property];
      if (["prepare", "bind", "withSession"].includes(property))
        return (...args: unknown[]) => {
          const made = value.apply(object, args);
          // of the ledger, behind the answer
          return !ledger && /\baccount_keys\b/.test(String(args[0])) ? made : countRows(made, count, ledger);
        };
      throw new Error(`D1's ${property} is not counted yet: add it here`);
    },
  });
  statements.set(wrapped, target as unknown as D1PreparedStatement);
  return wrapped;
}

function countKeys(kv: KVNamespace, count: Count): KVNamespace {
  return new Proxy(kv, {
    get(object, property) {
      const value = Reflect.get(object, property, object);
      if (property !== "get" && property !== "getWithMetadata")
        throw new Error(`KV's ${String(property)} is not counted yet: add it here`);
      return (keys: string | string[], ...args: unknown[]) => {
        count.kvKeysRead += Array.isArray(keys) ? keys.length : 1;
        return value.apply(object, [keys, ...args]);
      };
    },
  });
}

/** The methods of the class that the platform calls or lets be called: each call is a request. */
function countObjects(kind: typeof RateWindow | typeof AuthorizationCode, count: Count) {
  const prototype: Record<string, (...args: unknown[]) => unknown> = Object(kind.prototype);
  const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
  return names.map((name) => {
    const method = prototype[name];
    return vi.spyOn(prototype, name).mockImplementation(function (this: object, ...args) {
      count.doRequests++;
      return method?.apply(withCountedStorage(this, count), args);
    });
  });
}

const countAlarms = (storage: DurableObjectStorage, count: () => Count) => ({
  getAlarm: () => {
    count().doRowsRead++;
    return storage.getAlarm();
  },
  setAlarm: (time: number) => {
    count().doRowsWritten++;
    return storage.setAlarm(time);
  },
});

/** The object as its methods see it. */
function withCountedStorage(object: object, count: Count): object {
  const { storage } = (object as { ctx: DurableObjectState }).ctx;
  const kv = {
    get: (key: string) => {
      count.doRowsRead++;
      return storage.kv.get(key);
    },
    put: (key: string, value: unknown) => {
      count.doRowsWritten++;
      storage.kv.put(key, value);
    },
  };
  const counting = {
    kv,
    ...countAlarms(storage, () => count),
    // one row, and a deletion is a row written
    deleteAll: () => {
      count.doRowsWritten += [...storage.kv.list()].length;
      return storage.deleteAll();
    },
  };
  return new Proxy(object, {
    get: (target, property) => (property === "ctx" ? { storage: counting } : Reflect.get(target, property, target)),
  });
}

function countLog(count: Count) {
  return vi.spyOn(console, "log").mockImplementation((line: string) => {
    count.logLines++;
    count.logBytes += line.length;
  });
}
