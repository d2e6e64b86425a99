/**
 * D1 and KV of a deployed service, over Cloudflare's API: as much of their bindings as the commands use. A deployment
 * makes the stores by their names, and their ids are asked of the deployed Worker.
 */

import { bulkReads } from "../../platform/stores.ts";
import { EXIT, fail } from "../fail.ts";
import type { Environment } from "../target.ts";
import { BulkWrites } from "./bulk-writes.ts";
import { type Account, ApiRefusal, callAccount, findAccount, readRaw } from "./cloudflare-api.ts";
import { readDeploymentTables } from "./tables.ts";

/** By the name of the binding. */
export type StoreIds = ReadonlyMap<string, string>;

interface WorkerBinding {
  readonly type: string;
  readonly name: string;
  readonly namespace_id?: string;
  readonly id?: string;
  readonly database_id?: string;
  /** Of a variable. */
  readonly text?: string;
}

/** Of the Worker of this name. Throws ApiRefusal, 10007 if there is none. */
export async function readBindings(account: Account, worker: string): Promise<readonly WorkerBinding[]> {
  const { result } = await callAccount(account, "GET", `/workers/scripts/${worker}/settings`);
  return (result as { readonly bindings: readonly WorkerBinding[] }).bindings;
}

export function listStoreIds(bindings: readonly WorkerBinding[]): StoreIds {
  return new Map(
    bindings.flatMap(({ type, name, namespace_id, id, database_id }): [string, string][] => {
      if (type === "kv_namespace" && namespace_id !== undefined) return [[name, namespace_id]];
      const database = database_id ?? id;
      return type === "d1" && database !== undefined ? [[name, database]] : [];
    }),
  );
}

interface RawAnswer {
  readonly meta: D1Meta & Record<string, unknown>;
  readonly results: { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] };
}

export interface DeployedDatabase extends D1Database {
  /** Asks the API about this database; `path`: below it. */
  readonly call: (method: string, path: string, body?: object) => Promise<unknown>;
}

/** /api/resources/d1/subresources/database/methods/raw/ What is sent at once is one transaction. */
export function openDatabase(account: Account, id: string): DeployedDatabase {
  const call = async (method: string, path: string, body?: object) =>
    (await callAccount(account, method, `/d1/database/${id}/${path}`, body)).result;
  const ask = async (body: object) => (await call("POST", "raw", body)) as readonly RawAnswer[];
  const database = {
    call,
    prepare: (sql: string) => new Statement(ask, sql, []),
    batch: async (statements: readonly Statement[]) =>
      statements.length === 0 ? [] : (await ask({ batch: statements.map((one) => one.asked()) })).map(asObjects),
    withSession: () => database,
  };
  return database as unknown as DeployedDatabase;
}

class Statement {
  readonly #ask: (body: object) => Promise<readonly RawAnswer[]>;
  readonly #sql: string;
  readonly #params: readonly unknown[];

  constructor(ask: (body: object) => Promise<readonly RawAnswer[]>, sql: string, params: readonly unknown[]) {
    this.#ask = ask;
    this.#sql = sql;
    this.#params = params;
  }

  bind(...params: readonly unknown[]): Statement {
    return new Statement(this.#ask, this.#sql, params.map(writeParameter));
  }

  asked(): { sql: string; params: readonly unknown[] } {
    return { sql: this.#sql, params: this.#params };
  }

  async #run(): Promise<RawAnswer> {
    const [answer] = await this.#ask(this.asked());
    if (!answer) throw new Error("D1 answered a statement with nothing");
    return answer;
  }

  async all(): Promise<object> {
    return asObjects(await this.#run());
  }

  run(): Promise<object> {
    return this.all();
  }

  /** Of one column, where it is named. */
  async first(column?: string): Promise<unknown> {
    const { results } = asObjects(await this.#run());
    const [row] = results;
    return (column === undefined ? row : row?.[column]) ?? null;
  }

  async raw(): Promise<readonly (readonly unknown[])[]> {
    return (await this.#run()).results.rows;
  }
}

/** Bytes as the API takes and gives them, and as the binding gives them: numbers. */
const writeParameter = (value: unknown): unknown =>
  value instanceof ArrayBuffer || value instanceof Uint8Array ? [...new Uint8Array(value)] : value;

const asObjects = ({ meta, results: { columns, rows } }: RawAnswer) => ({
  ...{ success: true, meta },
  results: rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]]))),
});

interface Described {
  readonly value?: unknown;
  readonly metadata?: unknown;
}

/** /api/resources/kv/subresources/namespaces/ */
function openKeyValues(account: Account, id: string): KVNamespace {
  const path = `/storage/kv/namespaces/${id}`;
  const writes = new BulkWrites(account, path);
  const pathOf = (key: string) => `${path}/values/${encodeURIComponent(key)}`;
  const readMany = async (keys: readonly string[], type: unknown): Promise<Map<string, unknown>> => {
    const read = new Map<string, unknown>();
    for (const some of bulkReads(keys)) {
      const body = { keys: some, type };
      const { result } = await callAccount(account, "POST", `${path}/bulk/get`, body);
      const { values } = result as { readonly values: Readonly<Record<string, unknown>> };
      for (const key of body.keys) read.set(key, values[key] ?? null);
    }
    return read;
  };
  const get = async (key: string | readonly string[], type: unknown = "text"): Promise<unknown> => {
    const form = typeof type === "string" ? type : (Object(type).type ?? "text");
    if (typeof key !== "string") return await readMany(key, form);
    const bytes = await readRaw(account, pathOf(key));
    if (bytes === null || form === "arrayBuffer") return bytes;
    const text = new TextDecoder().decode(bytes);
    return form === "json" ? JSON.parse(text) : text;
  };
  const keyValues = {
    get,
    /** In one call, so that the metadata are of this value. */
    getWithMetadata: async (key: string, type: unknown = "text") => {
      const body = { keys: [key], type, withMetadata: true };
      const { result } = await callAccount(account, "POST", `${path}/bulk/get`, body);
      const { values } = result as { readonly values: Readonly<Record<string, Described | null>> };
      const { value = null, metadata = null } = values[key] ?? {};
      return { value, metadata };
    },
    put: (key: string, value: string | ArrayBuffer | Uint8Array, options?: KVNamespacePutOptions) =>
      writes.put(key, value, options),
    delete: (key: string) => writes.delete(key),
    list: async ({ prefix, cursor }: KVNamespaceListOptions = {}) => {
      const query = new URLSearchParams({ prefix: prefix ?? "", ...(cursor != null && { cursor }) });
      const { result, result_info } = await callAccount(account, "GET", `${path}/keys?${query}`);
      const next = result_info?.cursor ?? "";
      return { keys: result, ...(next === "" ? { list_complete: true } : { list_complete: false, cursor: next }) };
    },
  };
  return keyValues as unknown as KVNamespace;
}

/** Where the stores of a deployment are. Fails with a sentence. */
async function locateStores(environment: Environment | null): Promise<{ account: Account; ids: StoreIds }> {
  const { worker } = readDeploymentTables(environment);
  const account = await findAccount();
  const ids = await readBindings(account, worker).then(listStoreIds, (error: unknown) => {
    if (!(error instanceof ApiRefusal)) throw error;
    if (error.codes.includes(NO_WORKER))
      return fail(`${worker} is not deployed: npm run deploy makes it`, EXIT.unknown);
    return fail(`Cloudflare does not say which stores ${worker} has: ${error.message}`, EXIT.unknown);
  });
  return { account, ids };
}

/** The stores of a deployment, with the variables of wrangler.toml. One that is not deployed yet, as a database that was just added, is left out. */
export async function openDeployed(environment: Environment | null): Promise<Env> {
  const { vars, databases, keyValues } = readDeploymentTables(environment);
  const { account, ids } = await locateStores(environment);
  const opened = (bindings: object, open: (account: Account, id: string) => object) =>
    Object.keys(bindings).flatMap((binding) => {
      const id = ids.get(binding);
      return id === undefined ? [] : [[binding, open(account, id)]];
    });
  const stores = [...opened(databases, openDatabase), ...opened(keyValues, openKeyValues)];
  return { ...vars, ...Object.fromEntries(stores) } as unknown as Env;
}

/** Cloudflare's code for a Worker that the account does not have. */
export const NO_WORKER = 10_007;
