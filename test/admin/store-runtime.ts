/**
 * workerd with the D1 and KV of a state folder, stored as the operator's commands store them. Here a D1 statement is one
 * request to it. Through wrangler's binding proxy, which the commands use, it is six, and for five the process stands still.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { listDatabases } from "../../src/databases.ts";
import { writeConfiguration } from "../worker/configuration.ts";

/** As far as it is used; the package is wrangler's, not ours. */
interface Miniflare {
  readonly getBindings: () => Promise<Env>;
  readonly dispatchFetch: (url: string, init: { method: string; body: string }) => Promise<Response>;
  readonly dispose: () => Promise<void>;
}
interface MiniflarePackage {
  readonly Miniflare: new (options: object) => Miniflare;
  readonly convertV4MiniflareOptions: (options: object) => object;
}
// wrangler's own copy: what the commands write, this has to read
const fromWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));

/** Runs in workerd: calls D1's own client as the request says. */
const SCRIPT = `
export default {
  async fetch(request, env) {
    const { binding, constraint, statements, method, args } = await request.json();
    const db = constraint === null ? env[binding] : env[binding].withSession(constraint);
    try {
      const asked = statements.map(({ sql, params }) => (params ? db.prepare(sql).bind(...params) : db.prepare(sql)));
      return Response.json({ result: method === "batch" ? await db.batch(asked) : await asked[0][method](...args) });
    } catch ({ message }) {
      return Response.json({ message });
    }
  },
};`;

export interface StoreRuntime {
  /** Vars, D1 and KV of wrangler.toml. Durable Objects can be run by the Worker only. */
  readonly env: Env;
  readonly stop: () => Promise<void>;
}

export async function startStores(state: string): Promise<StoreRuntime> {
  const { Miniflare, convertV4MiniflareOptions }: MiniflarePackage = fromWrangler("miniflare");
  const options = unstable_getMiniflareWorkerOptions(await writeConfiguration()).workerOptions;
  const { compatibilityDate, kvNamespaces, d1Databases, bindings } = options;
  const worker = {
    name: "stores",
    modules: true,
    script: SCRIPT,
    compatibilityDate,
    kvNamespaces,
    d1Databases,
    bindings,
  };
  const runtime = new Miniflare(
    convertV4MiniflareOptions({ workers: [worker], resourcePersistencePath: join(state, "v3") }),
  );
  const askOf =
    (binding: string): Ask =>
    async (request) => {
      const body = JSON.stringify({ binding, ...request });
      const response = await runtime.dispatchFetch("http://stores/", { method: "POST", body });
      const { result, message } = (await response.json()) as { result: unknown; message?: string };
      if (message !== undefined) throw new Error(message);
      return result;
    };
  const env = await runtime.getBindings();
  const databases = listDatabases(env).map(({ binding }) => [binding, makeDatabase(askOf(binding), null)]);
  return { env: { ...env, ...Object.fromEntries(databases) }, stop: () => runtime.dispose() };
}

interface Statement {
  readonly sql: string;
  /** Null: nothing is bound. */
  readonly params: readonly unknown[] | null;
}
type Ask = (request: {
  /** Of a session; null outside of one. */
  readonly constraint: string | null;
  readonly statements: readonly Statement[];
  readonly method: string;
  readonly args: readonly unknown[];
}) => Promise<unknown>;

const makeDatabase = (ask: Ask, constraint: string | null): object => ({
  prepare: (sql: string) => makeStatement(ask, constraint, { sql, params: null }),
  batch: (statements: readonly Statement[]) =>
    ask({ constraint, statements: statements.map(({ sql, params }) => ({ sql, params })), method: "batch", args: [] }),
  withSession: (other = "first-unconstrained") => makeDatabase(ask, other),
});

function makeStatement(ask: Ask, constraint: string | null, { sql, params }: Statement): object {
  const call =
    (method: string) =>
    (...args: unknown[]) =>
      ask({ constraint, statements: [{ sql, params }], method, args });
  return {
    ...{ sql, params },
    bind: (...bound: unknown[]) => makeStatement(ask, constraint, { sql, params: bound }),
    ...{ all: call("all"), first: call("first"), raw: call("raw"), run: call("run") },
  };
}
