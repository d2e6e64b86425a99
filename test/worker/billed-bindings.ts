/** An env that counts what the platform bills: rows of D1, keys of KV, requests and rows of Durable Objects. */
import { vi } from "vitest";
import { AuthorizationCode } from "../../src/grants/authorization-code.ts";
import { RateWindow } from "../../src/rate-limit/rate-window.ts";
import type { Billed } from "../cost/billed.ts";

type Count = { -readonly [Name in keyof Billed]: Billed[Name] };

const nothing = (): Count => ({
  d1RowsRead: 0,
  d1RowsWritten: 0,
  kvKeysRead: 0,
  doRequests: 0,
  doRowsRead: 0,
  doRowsWritten: 0,
  logLines: 0,
  logBytes: 0,
});

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

const statements = new WeakMap<object, D1PreparedStatement>();

/** `first` is asked as `all`, for the platform's count comes with that only. */
function countRows<Target extends object>(target: Target, count: Count): Target {
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
          return /\baccount_keys\b/.test(String(args[0])) ? made : countRows(made, count);
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
    getAlarm: () => {
      count.doRowsRead++;
      return storage.getAlarm();
    },
    setAlarm: (time: number) => {
      count.doRowsWritten++;
      return storage.setAlarm(time);
    },
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
