/**
 * workerd with the local D1 and KV of a state folder, without wrangler: its load and its binding proxy, for which a D1
 * statement is six requests and the process stands still for five, were two thirds of a command's processor time. Here all
 * that is asked of the stores in one moment is one request. The files are those of `wrangler dev --persist-to`
 * (test/cli/local-stores.test.ts).
 */
import { createRequire } from "node:module";
import { makeSecret } from "../platform/secrets.ts";
import type { DeploymentTables } from "./deployment-tables.ts";
import { connectToStores } from "./store-connection.ts";
import { gather, makeDatabase, makeKeyValues, type StoreAnswer } from "./store-requests.ts";

/** As far as it is used; the package is wrangler's, not ours. */
interface Miniflare {
  /** Where the Worker listens, without miniflare's own Worker before it. */
  readonly unsafeGetDirectURL: (name: string) => Promise<URL>;
  readonly dispose: () => Promise<void>;
}
interface MiniflarePackage {
  readonly Miniflare: new (options: object) => Miniflare;
  readonly convertV4MiniflareOptions: (options: object) => object;
}

/**
 * Runs in workerd: calls the stores' own clients as the requests say, those of one moment at once. Its port is open to each
 * process of this machine and to pages in its browsers, so it answers only who knows the secret of this run.
 */
const SCRIPT = `
const encode = (value) => {
  if (value instanceof ArrayBuffer) return { bytes: new Uint8Array(value).toBase64() };
  return value instanceof Map ? { entries: [...value] } : { value };
};
const decode = (value) => (value?.bytes === undefined ? value : Uint8Array.fromBase64(value.bytes));
const callKv = (kv, { method, args }) => kv[method](...args.map(decode));
async function callD1(database, { constraint, statements, method, args }) {
  const db = constraint === null ? database : database.withSession(constraint);
  const asked = statements.map(({ sql, params }) => (params ? db.prepare(sql).bind(...params.map(decode)) : db.prepare(sql)));
  return method === "batch" ? await db.batch(asked) : await asked[0][method](...args);
}
export default {
  async fetch(request, env) {
    const bytes = (text) => new TextEncoder().encode(text);
    const [given, secret] = [bytes(request.headers.get("Authorization") ?? ""), bytes(env.SECRET)];
    if (given.length !== secret.length || !crypto.subtle.timingSafeEqual(given, secret))
      return new Response(null, { status: 403 });
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

export interface LocalStores {
  /** Variables, D1 and KV. Durable Objects can be run by the Worker only. */
  readonly env: Env;
  /** Where the runtime listens. */
  readonly address: URL;
  readonly stop: () => Promise<void>;
}

/** `folder`: with the subfolders `d1` and `kv`; they are made if they do not exist. */
export async function openLocalStores(folder: string, tables: DeploymentTables): Promise<LocalStores> {
  const { Miniflare, convertV4MiniflareOptions } = loadMiniflare();
  const secret = makeSecret();
  const worker = {
    name: "stores",
    modules: true,
    script: SCRIPT,
    compatibilityDate: tables.compatibilityDate,
    bindings: { SECRET: secret },
    unsafeDirectSockets: [{}],
    kvNamespaces: tables.keyValues,
    d1Databases: tables.databases,
  };
  const runtime = new Miniflare(convertV4MiniflareOptions({ workers: [worker], resourcePersistencePath: folder }));
  const address = await runtime.unsafeGetDirectURL(worker.name);
  const { send, close } = connectToStores(address, secret);
  const ask = gather(async (requests) => (await send(requests)) as StoreAnswer[]);
  const stores = Object.fromEntries([
    ...Object.keys(tables.keyValues).map((binding) => [binding, makeKeyValues(ask, binding)]),
    ...Object.keys(tables.databases).map((binding) => [binding, makeDatabase(ask, binding)]),
  ]);
  const stop = async () => {
    close();
    await runtime.dispose();
  };
  return { env: { ...tables.vars, ...stores } as unknown as Env, address, stop };
}

/** wrangler's own copy: what `npm start` writes, the commands have to read. */
function loadMiniflare(): MiniflarePackage {
  const fromWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));
  return fromWrangler("miniflare");
}
