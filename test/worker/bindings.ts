/** An env whose bindings count what is asked of them: the number of round trips is a promise. */
import { listDatabases } from "../../src/institutions/databases.ts";

export interface RoundTrips {
  /** Each call of a binding, in order: "DB", "KV", "RATE_WINDOW", ... */
  readonly calls: string[];
  /**
   * The same by rounds: those of the first began before any was answered, those of the next after an answer of the round
   * before.
   */
  readonly sequence: string[][];
  /** Sequential rounds. */
  readonly rounds: number;
}

/** Methods that begin a round trip; what only prepares one is passed through and wrapped in turn. */
const ASKS = new Set(["get", "getWithMetadata", "put", "delete", "list", "first", "all", "run", "raw", "batch"]);
const PREPARES = new Set(["prepare", "bind", "withSession"]);

/** What is written behind the answer: what events need to know of certificates and grants. */
const BEHIND = /\b(?:shown_certificates|notices|met_psps|met_psp_names)\b|INSERT OR IGNORE INTO psp_standings/;
/** So too, unless the record must be kept before the answer leaves: keys of accounts. */
const OF_RECORDS = /\baccount_keys\b/;

/**
 * Wraps D1, KV and Durable Objects. What runs behind the answer is left out: reports to the rate limit, records to the
 * ledger, and what {@link BEHIND} names; `ledger` counts records, too, and the keys of accounts in them.
 */
export function countRoundTrips(
  env: Cloudflare.Env,
  { ledger = false } = {},
): { env: Cloudflare.Env; trips: RoundTrips } {
  const sequence: string[][] = [];
  const trips: RoundTrips = {
    calls: [],
    sequence,
    get rounds() {
      return sequence.length;
    },
  };
  /** The latest round of which a call was answered. */
  let answered = 0;
  const begin = async <Result>(name: string, call: () => Promise<Result>): Promise<Result> => {
    const round = answered + 1;
    trips.calls.push(name);
    trips.sequence[round - 1] ??= [];
    trips.sequence[round - 1]?.push(name);
    try {
      return await call();
    } finally {
      answered = Math.max(answered, round);
    }
  };
  const wrapStore = <Target extends object>(name: string, target: Target): Target =>
    new Proxy(target, {
      get(object, property) {
        const value = Reflect.get(object, property, object);
        if (typeof value !== "function" || typeof property !== "string") return value;
        if (ASKS.has(property))
          return (...args: unknown[]) => {
            const ask = () => value.apply(object, args.map(unwrap));
            return property === "batch" && isBehind(args[0]) ? ask() : begin(name, ask);
          };
        if (PREPARES.has(property))
          return (...args: unknown[]) => {
            const made = value.apply(object, args);
            const sql = String(args[0]);
            if (BEHIND.test(sql) || (!ledger && OF_RECORDS.test(sql))) return made;
            return remember(wrapStore(name, made), made);
          };
        return value.bind(object);
      },
    });
  // D1's batch takes statements: it must be given its own, not the wrapped ones
  const originals = new WeakMap<object, object>();
  const remember = <Wrapped extends object>(wrapped: Wrapped, original: object): Wrapped => {
    originals.set(wrapped, original);
    return wrapped;
  };
  const unwrap = (argument: unknown): unknown =>
    Array.isArray(argument)
      ? argument.map(unwrap)
      : typeof argument === "object" && argument !== null
        ? (originals.get(argument) ?? argument)
        : argument;
  /** A batch of statements that all are. */
  const isBehind = (statements: unknown): boolean =>
    Array.isArray(statements) && statements.every((statement) => !originals.has(statement));
  const wrapStub = (name: string, stub: object): object =>
    new Proxy(stub, {
      get(object, property) {
        const value = Reflect.get(object, property, object);
        if (typeof value !== "function" || typeof property !== "string" || property === "then") return value;
        return (...args: unknown[]) => begin(name, async () => Reflect.apply(value, object, args));
      },
    });
  const wrapNamespace = <Target extends object>(name: string, namespace: Target): Target =>
    new Proxy(namespace, {
      get(object, property) {
        const value = Reflect.get(object, property, object);
        if (typeof value !== "function") return value;
        if (property === "get" || property === "getByName")
          return (...args: unknown[]) => wrapStub(name, Reflect.apply(value, object, args));
        return value.bind(object);
      },
    });
  const counted = { ...env, KV: wrapStore("KV", env.KV) };
  // whichever it is: a round trip to D1
  for (const { binding, db } of listDatabases(env)) Object.assign(counted, { [binding]: wrapStore("DB", db) });
  for (const [name, binding] of Object.entries(env))
    if (
      name !== "RATE_WINDOW" &&
      (ledger || name !== "LEDGER") &&
      typeof binding === "object" &&
      binding !== null &&
      "idFromName" in binding
    )
      Object.assign(counted, { [name]: wrapNamespace(name, binding) });
  return { env: counted, trips };
}
