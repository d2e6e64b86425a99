/**
 * Retries on locked local stores. They are SQLite files, to which a running `npm start` writes too. Nobody waits long for the
 * lock of another process: D1 (database/local-database.ts) fails soon, and KV, which is workerd's, answers 500 without a
 * reason. The failed operation was rolled back as a whole, so a statement, a batch or a KV operation can be repeated
 * unchanged.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { listDatabases } from "../institutions/databases.ts";
import { clock } from "../platform/clock.ts";
import { CommandError } from "./fail.ts";

const PATIENCE_MS = 10_000;
const NOTICE_MS = 1_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** D1's message for a lock; KV's message for any failure. */
const BUSY = /SQLITE_BUSY|^KV [A-Z]+ failed: 500\b/;

const ASKS = new Set([
  "run",
  "all",
  "first",
  "raw",
  "batch",
  "exec",
  "get",
  "getWithMetadata",
  "put",
  "delete",
  "list",
]);
const WRITES = new Set(["run", "batch", "exec", "put", "delete"]);
const PREPARES = new Set(["prepare", "bind", "withSession"]);

export interface PatientStores {
  /** The given bindings, with D1 and KV wrapped. */
  readonly env: Env;
  /** Ends the preparation of the stores. Only later writes count as the command's own in the message of a failure. */
  readonly begin: () => void;
  /** Before the stores are closed: what is still asked of them, by work that nobody awaits after a failure, never ends. */
  readonly end: () => void;
}

const ENDED: object = new Proxy(
  {},
  { get: (_, name) => (PREPARES.has(String(name)) ? () => ENDED : () => new Promise(() => {})) },
);

/**
 * Wraps stores so that operations wait while another process holds the lock, and finally throw {@link CommandError}.
 */
export function waitForStores(env: Env): PatientStores {
  let wrote = false;
  let noticed = false;
  let givenUp = false;
  let ended = false;
  const ask = async (name: string, operation: () => Promise<unknown>): Promise<unknown> => {
    const started = clock.now();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        // after a process stood still, a connection that the runtime closed meanwhile is to be noticed first
        await nextTurn();
        const result = await operation();
        wrote ||= WRITES.has(name);
        return result;
      } catch (error) {
        if (!(error instanceof Error && BUSY.test(error.message))) throw error;
        // after the first time-out, clean-up operations (such as releasing the lease) do not wait again
        if (givenUp || clock.now() - started > PATIENCE_MS) {
          givenUp = true;
          throw new CommandError(busyMessage(wrote));
        }
        if (!noticed && clock.now() - started > NOTICE_MS) {
          noticed = true;
          console.error("waiting: another process is writing to the local database");
        }
        await sleep(pause);
      }
    }
  };

  // D1's batch needs the original statements, not their wrappers
  const originals = new WeakMap<object, object>();
  const unwrap = (argument: unknown): unknown => {
    if (Array.isArray(argument)) return argument.map(unwrap);
    return typeof argument === "object" && argument !== null ? (originals.get(argument) ?? argument) : argument;
  };
  const wrap = <Store extends object>(store: Store): Store => {
    const wrapped = new Proxy(store, {
      get(_, name) {
        if (ended) return Reflect.get(ENDED, name);
        const method: unknown = Reflect.get(store, name, store);
        if (typeof method !== "function" || typeof name !== "string") return method;
        const call = (args: unknown[]) => Reflect.apply(method, store, args.map(unwrap));
        if (ASKS.has(name)) return (...args: unknown[]) => ask(name, async () => call(args));
        if (PREPARES.has(name)) return (...args: unknown[]) => wrap(call(args));
        return (...args: unknown[]) => call(args);
      },
    });
    originals.set(wrapped, store);
    return wrapped;
  };
  const begin = () => {
    wrote = false;
  };
  const end = () => {
    ended = true;
  };
  const databases = listDatabases(env).map(({ binding, db }) => [binding, wrap(db)]);
  return { env: { ...env, ...Object.fromEntries(databases), KV: wrap(env.KV) }, begin, end };
}

const busyMessage = (wrote: boolean): string =>
  `the local database is busy: another process, such as npm start under load, kept it locked for ${PATIENCE_MS / 1000} seconds. ${
    wrote ? "What was written before that stays: run the command again to finish it" : "Nothing was changed: try again"
  }`;

/** Hides workerd's own log lines about locks, which have stack traces. Returns a function that undoes this. */
export function hideLockLines(): () => void {
  const show = console.error;
  console.error = (...line: unknown[]) => {
    if (!line.some((text) => String(text).includes("SQLITE_BUSY"))) show(...line);
  };
  return () => {
    console.error = show;
  };
}
