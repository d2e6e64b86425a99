/**
 * workerd with the D1 and KV of a state folder, stored as the operator's commands store them. Here all that is asked of
 * them in one moment is one request to it. Through wrangler's binding proxy, which the commands use, a D1 statement is six,
 * and for five the process stands still.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { loadWrangler } from "../../src/admin/wrangler-package.ts";
import { writeConfiguration } from "../worker/configuration.ts";
import { gather, makeDatabase, makeKeyValues, type StoreAnswer } from "./store-requests.ts";

/** As far as it is used; the package is wrangler's, not ours. */
interface Miniflare {
  readonly dispatchFetch: (url: string, init: { method: string; body: string }) => Promise<Response>;
  readonly dispose: () => Promise<void>;
}
interface MiniflarePackage {
  readonly Miniflare: new (options: object) => Miniflare;
  readonly convertV4MiniflareOptions: (options: object) => object;
}
// wrangler's own copy: what the commands write, this has to read
const fromWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));

/** Runs in workerd: calls the stores' own clients as the requests say, those of one moment at once. */
const SCRIPT = `
const encode = (value) => {
  if (value instanceof ArrayBuffer) return { bytes: new Uint8Array(value).toBase64() };
  return value instanceof Map ? { entries: [...value] } : { value };
};
const decode = (value) => (value?.bytes === undefined ? value : Uint8Array.fromBase64(value.bytes));
const callKv = (kv, { method, args }) => kv[method](...args.map(decode));
async function callD1(database, { constraint, statements, method, args }) {
  const db = constraint === null ? database : database.withSession(constraint);
  const asked = statements.map(({ sql, params }) => (params ? db.prepare(sql).bind(...params) : db.prepare(sql)));
  return method === "batch" ? await db.batch(asked) : await asked[0][method](...args);
}
export default {
  async fetch(request, env) {
    const asked = await request.json();
    const answers = asked.map(async (each) => {
      try {
        return encode(await (each.statements ? callD1 : callKv)(env[each.binding], each));
      } catch ({ message }) {
        return { message };
      }
    });
    return Response.json(await Promise.all(answers));
  },
};`;

export interface StoreRuntime {
  /** Vars, D1 and KV of wrangler.toml. Durable Objects can be run by the Worker only. */
  readonly env: Env;
  readonly stop: () => Promise<void>;
}

export async function startStores(state: string): Promise<StoreRuntime> {
  const { Miniflare, convertV4MiniflareOptions }: MiniflarePackage = fromWrangler("miniflare");
  const configuration = await writeConfiguration(1, join(state, "configuration"));
  const { compatibilityDate, kvNamespaces, d1Databases, bindings } =
    loadWrangler().unstable_getMiniflareWorkerOptions(configuration).workerOptions;
  const worker = { name: "stores", modules: true, script: SCRIPT, compatibilityDate, kvNamespaces, d1Databases };
  const runtime = new Miniflare(
    convertV4MiniflareOptions({ workers: [worker], resourcePersistencePath: join(state, "v3") }),
  );
  const ask = gather(async (requests) => {
    const response = await runtime.dispatchFetch("http://stores/", { method: "POST", body: JSON.stringify(requests) });
    return (await response.json()) as StoreAnswer[];
  });
  const stores = Object.fromEntries([
    ...Object.keys(kvNamespaces ?? {}).map((binding) => [binding, makeKeyValues(ask, binding)]),
    ...Object.keys(d1Databases ?? {}).map((binding) => [binding, makeDatabase(ask, binding)]),
  ]);
  return { env: { ...(bindings as object), ...stores } as Env, stop: () => runtime.dispose() };
}
