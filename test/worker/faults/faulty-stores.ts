/** Stores of which one call fails, or waits: each of an operation's calls in turn, in each way in which one can. */
import { listDatabases } from "../../../src/institutions/databases.ts";
import { passDeadline } from "./deadlines.ts";

/**
 * `lost`: the call is carried out, and its answer is lost; `down`: it is not, nor is a later call of that store. Without an
 * answer or an error: `silent`, nor has a later call of that store; `late`: it is carried out once the request is answered;
 * `latest`: not before its caller has asked again.
 */
export const FAULTS = ["lost", "down", "silent", "late", "latest"] as const;
export type Fault = (typeof FAULTS)[number];
/** What no answer may say. */
export const INSIDE = "secret-of-the-inside";

const ASKS = /^(first|all|run|raw|batch|get|getWithMetadata|put|delete|list|head|send|sendBatch)$/;
const PREPARES = /^(prepare|bind|withSession)$/;
const OBJECTS = ["AUTHORIZATION_CODE", "LEDGER"] as const;
type Method = (...args: unknown[]) => unknown;
/** What a call waits for. */
export type Gate = (carryOut: () => Promise<unknown>) => Promise<unknown>;

export class FaultyStores {
  /** Each call, in order: its store, its method, and its SQL. */
  readonly calls: string[] = [];
  readonly env: Cloudflare.Env;
  readonly #fault: Fault | null;
  readonly #at: number;
  readonly #gate: Gate;
  #down: string | null = null;
  /** What is carried out late. */
  #late: (() => unknown) | null = null;
  readonly #originals = new WeakMap<object, object>();
  readonly #texts = new WeakMap<object, string>();

  /** The call number `at` fails, from 1 on. */
  constructor(env: Cloudflare.Env, fault: Fault | null = null, at = 0, gate: Gate = (carryOut) => carryOut()) {
    [this.#fault, this.#at, this.#gate] = [fault, at, gate];
    const faulty: Record<string, unknown> = { ...env };
    for (const { binding, db } of listDatabases(env)) faulty[binding] = this.#store(binding, db);
    for (const name of ["KV", "EVIDENCE"] as const) faulty[name] = this.#store(name, env[name]);
    for (const name of OBJECTS) faulty[name] = this.#objects(name, env[name]);
    this.env = faulty as unknown as Cloudflare.Env;
  }

  /** What is down is up again, and what is late arrives, but for the latest. */
  async heal(): Promise<void> {
    this.#down = "nothing";
    if (this.#fault !== "latest") await this.arrive();
  }

  async arrive(): Promise<void> {
    const late = this.#late;
    this.#late = null;
    // refused as it may be, nobody hears of it
    await Promise.resolve(late?.()).catch(() => {});
  }

  async #call(store: string, what: string, carryOut: () => unknown): Promise<unknown> {
    this.calls.push(`${store} ${what}`);
    const isIt = this.calls.length === this.#at;
    const fault = this.#fault;
    if (isIt && (fault === "down" || fault === "silent")) this.#down ??= store;
    if (!isIt && this.#down !== store) return await this.#gate(async () => await carryOut());
    if (fault === "late" || fault === "latest") this.#late = carryOut;
    if (fault !== "lost" && fault !== "down") return await passDeadline();
    if (fault === "lost") await carryOut();
    throw new Error(`D1_ERROR: ${INSIDE}`);
  }

  /** A store, its sessions and its statements. */
  #store<Target extends object>(name: string, target: Target, sql = ""): Target {
    const wrapped = this.#wrap(target, (property, method) => {
      if (ASKS.test(property))
        return (...args) =>
          this.#call(name, `${property} ${sql || this.#describe(args[0])}`, () => method(...args.map(this.#unwrap)));
      if (PREPARES.test(property))
        return (...args) =>
          this.#store(name, method(...args) as object, property === "prepare" ? String(args[0]).trim() : sql);
      return method;
    });
    this.#originals.set(wrapped, target);
    this.#texts.set(wrapped, sql);
    return wrapped;
  }

  #objects<Target extends object>(name: string, namespace: Target): Target {
    const stub = (made: object) =>
      this.#wrap(
        made,
        (property, method) =>
          (...args) =>
            this.#call(name, property, () => method(...args)),
      );
    return this.#wrap(namespace, (property, method) =>
      property === "get" || property === "getByName" ? (...args) => stub(method(...args) as object) : method,
    );
  }

  #wrap<Target extends object>(target: Target, change: (property: string, method: Method) => Method): Target {
    return new Proxy(target, {
      get: (object, property) => {
        const value: unknown = Reflect.get(object, property, object);
        if (typeof value !== "function" || typeof property !== "string") return value;
        return change(property, (...args) => Reflect.apply(value as Method, object, args));
      },
    });
  }

  /** A batch by its first statement. Of keys nothing: they differ between attempts. */
  readonly #describe = (given: unknown): string =>
    Array.isArray(given) ? (this.#texts.get(Object(given[0])) ?? "") : "";

  readonly #unwrap = (argument: unknown): unknown =>
    Array.isArray(argument) ? argument.map(this.#unwrap) : (this.#originals.get(Object(argument)) ?? argument);
}
