/**
 * The stores that a command works on: those of the local `npm start`, or with `--remote` those of the
 * deployed service, whose stores are reached over Cloudflare's API.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { listDatabases } from "../institutions/databases.ts";
import { withBegunWork } from "./begun-work.ts";
import { hideLockLines, waitForStores } from "./busy-stores.ts";
import { ROOT } from "./configuration.ts";
import { LocalDatabase, localFileOf } from "./database/local-database.ts";
import type { DeploymentTables } from "./deployment/tables.ts";
import { complain, EXIT, fail } from "./fail.ts";
import type { Environment, Target } from "./target.ts";
import { loadMiniflare } from "./wrangler.ts";

/** Folder of the local D1, KV and Durable Objects. Tests set STATE_DIR, so that they do not use the developer's. */
export const STATE = process.env["STATE_DIR"] ?? join(ROOT, ".wrangler/state");
/** File of local secrets. wrangler reads it by default from the repository's root. */
export const DEV_VARS = join(process.env["STATE_DIR"] ?? ROOT, ".dev.vars");
/** Folder of the sealed keys (keys/custody.ts). */
export const KEYS = join(process.env["STATE_DIR"] ?? ROOT, "keys");

export const DATABASE_FOLDER = join(STATE, "v3/d1/miniflare-D1DatabaseObject");

/** The SQLite files of the local databases. */
export async function listDatabaseFiles(): Promise<string[]> {
  const names = (await readdir(DATABASE_FOLDER)).filter(
    (name) => name.endsWith(".sqlite") && name !== "metadata.sqlite",
  );
  return names.map((name) => join(DATABASE_FOLDER, name));
}

export interface Stores {
  readonly env: Env;
  readonly ctx: ExecutionContext;
  /** Migrations that a database lacks. */
  readonly pending: readonly string[];
}

interface Opening {
  /** What is done with databases that lack migrations. An empty local one is always made first. */
  readonly pending?: "refuse" | "open" | "apply";
}

/** Opens the stores, runs `work`, and closes them when all that it began has ended, also after a failure. */
export async function withStores<Result>(
  { remote, environment = null }: Pick<Target, "remote"> & Partial<Target>,
  work: (stores: Stores) => Promise<Result>,
  { pending: then = "refuse" }: Opening = {},
): Promise<Result> {
  const { findPending, migrate, nameMigration } = await import("./database/migrations.ts");
  const { readDeploymentTables } = await import("./deployment/tables.ts");
  const opened = await (remote
    ? openRemote(environment)
    : openLocalStores(join(STATE, "v3"), readDeploymentTables(null)));
  const showLockLines = hideLockLines();
  const { env, begin, end } = remote ? { env: opened.env, begin: () => {}, end: () => {} } : waitForStores(opened.env);
  try {
    const pending: string[] = [];
    for (const database of listDatabases(env)) {
      const { number, db } = database;
      // of one that does not answer nobody knows; a command that needs it fails by itself, the others work
      const schema = await findPending(db).catch((error: unknown) => {
        if (number === 1) throw error;
        if (then === "apply") complain(`${database.binding} does not answer, and its institutions get 503: ${error}`);
        return { migrations: [], empty: false, below1_0: false, halfRestored: false };
      });
      if (schema.halfRestored && then !== "open") fail(halfRestored(database.binding), EXIT.unknown);
      if (schema.below1_0) fail(madeBelow1_0(database.binding, remote), EXIT.unknown);
      if (schema.migrations.length === 0) continue;
      if (!remote && (schema.empty || then === "apply")) await migrate(db, schema.migrations);
      else pending.push(...schema.migrations.map((name) => nameMigration(name, database)));
    }
    if (pending.length > 0 && then === "refuse") fail(needsMigrating(pending, remote), EXIT.unknown);
    begin();
    return await withBegunWork((ctx) => work({ env, ctx, pending }));
  } finally {
    end();
    await opened.close();
    showLockLines();
  }
}

export const halfRestored = (binding: string): string =>
  `${binding} is half restored: run the restore again, which needs no --yes now`;

const madeBelow1_0 = (binding: string, remote: boolean): string =>
  remote
    ? `${binding} was made by a release below 1.0, and its data cannot be taken over: bind an empty database instead`
    : `the local data is of a release below 1.0 and cannot be taken over: rm -rf ${STATE}, then npm start makes it new`;

/** The sentence for the operator. */
export const needsMigrating = (pending: readonly string[], remote: boolean): string =>
  `the ${remote ? "deployed" : "local"} database lacks ${pending.join(", ")}: ${
    remote ? "npm run deploy" : "npm start"
  } migrates it, and no other command does`;

interface Opened {
  readonly env: Env;
  readonly close: () => Promise<void>;
}

/** Without wrangler, whose load takes longer than most commands. The files are those of `npm start`; the key-value store is opened in workerd when it is first asked. */
export async function openLocalStores(
  folder: string,
  { vars, databases, keyValues, compatibilityDate }: DeploymentTables,
): Promise<Opened> {
  const local = Object.entries(databases).map(([binding, id]) => {
    const path = join(folder, "d1/miniflare-D1DatabaseObject", localFileOf(id));
    return [binding, new LocalDatabase(path)] as const;
  });
  let started: ReturnType<typeof startKeyValues> | null = null;
  const late = Object.keys(keyValues).map((binding) => {
    const open = async () => {
      started ??= startKeyValues(folder, keyValues, compatibilityDate);
      return (await started).bindings[binding] as KVNamespace;
    };
    return [binding, whenAsked(open)];
  });
  return {
    env: { ...vars, ...Object.fromEntries([...local, ...late]) } as unknown as Env,
    close: async () => {
      for (const [, database] of local) database.close();
      await (await started)?.dispose();
    },
  };
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

async function startKeyValues(
  folder: string,
  kvNamespaces: DeploymentTables["keyValues"],
  compatibilityDate: DeploymentTables["compatibilityDate"],
) {
  const { Miniflare, convertV4MiniflareOptions } = loadMiniflare();
  const worker = { name: "stores", modules: true, script: "export default {};", compatibilityDate, kvNamespaces };
  // else each command asks Cloudflare where this machine is
  const options = { workers: [worker], resourcePersistencePath: folder, cf: false };
  const before = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  const runtime = new Miniflare(convertV4MiniflareOptions(options));
  // its own end the process at once; who listens already has something to put in order first (sources/lease.ts)
  for (const [signal, listeners] of before) {
    if (listeners.length === 0) continue;
    process.removeAllListeners(signal);
    for (const listener of listeners) process.on(signal, listener as NodeJS.SignalsListener);
  }
  return { bindings: await runtime.getBindings(), dispose: () => runtime.dispose() };
}

/** A key-value store that is opened when it is first asked. */
function whenAsked(open: () => Promise<KVNamespace>): KVNamespace {
  const ask =
    (name: "get" | "getWithMetadata" | "put" | "delete" | "list") =>
    async (...args: unknown[]): Promise<unknown> => {
      const store = await open();
      return await Reflect.apply(store[name], store, args);
    };
  return {
    ...{ get: ask("get"), getWithMetadata: ask("getWithMetadata") },
    ...{ put: ask("put"), delete: ask("delete"), list: ask("list") },
  } as unknown as KVNamespace;
}

/** Over Cloudflare's API, with the operator's login. A store that is not deployed yet, as a database that was just added, is left out. */
async function openRemote(environment: Environment | null): Promise<Opened> {
  const { openDeployed } = await import("./deployment/deployed-stores.ts");
  const env = await openDeployed(environment);
  return { env, close: async () => {} };
}
