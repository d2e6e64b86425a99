/**
 * Built Workers in workerd itself: each is reached at a socket of its own, with neither a development proxy nor the
 * inspector in front. What they log goes by a pipe to a reader that throws it away, as to a log shipper. KV, D1 and
 * Durable Objects are miniflare's: SQLite in the same process, on state that was laid out before.
 */
import { execFile, spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { findDescendant } from "./process-usage.ts";

/** As far as it is used; the package is wrangler's, not ours. */
interface MiniflarePackage {
  readonly Miniflare: new (
    options: object,
  ) => {
    readonly unsafeGetDirectURL: (worker: string) => Promise<URL>;
    readonly getBindings: (worker: string) => Promise<Record<string, unknown>>;
    readonly dispose: () => Promise<void>;
  };
  readonly convertV4MiniflareOptions: (options: object) => object;
}
const fromWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));
export const { Miniflare, convertV4MiniflareOptions }: MiniflarePackage = fromWrangler("miniflare");
const WORKERD: string = createRequire(fromWrangler.resolve("miniflare"))("workerd").default;

export interface Built {
  /** The wrangler.toml that it was built by: its bindings. */
  readonly config: string;
  readonly script: string;
}

export const wrangler = (...args: readonly string[]) =>
  promisify(execFile)(join(import.meta.dirname, "../../node_modules/.bin/wrangler"), args, {
    env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" },
  });

/**
 * In one file. A deployment sends the same code in modules, which start faster: `--only start` measures those. `main`: the
 * entry that `config` names. `readable`: not minified, for a profile that is read by people.
 */
export async function bundle(config: string, main: string, outdir: string, readable = false): Promise<Built> {
  await wrangler("deploy", "--dry-run", ...(readable ? [] : ["--minify"]), "--config", config, "--outdir", outdir);
  return { config, script: join(outdir, basename(main).replace(/\.ts$/, ".js")) };
}

export interface RuntimeWorker {
  readonly name: string;
  readonly built: Built;
  /** D1 databases in the place of those that its configuration names, by binding. */
  readonly databases?: Readonly<Record<string, string>>;
  /** Variables in the place of those of its configuration. */
  readonly vars?: Readonly<Record<string, string>>;
  /** False: the account has no R2. */
  readonly r2?: boolean;
}

export interface Runtime {
  /** Where each Worker serves, by name. */
  readonly urls: Readonly<Record<string, string>>;
  /** Of workerd. */
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/**
 * `folder`: for its own files; `state`: where D1, KV and Durable Objects rest. `inspectorPort`: only for a profile, since
 * the inspector costs time.
 */
export async function startRuntime(
  workers: readonly RuntimeWorker[],
  folder: string,
  state: string,
  inspectorPort?: number,
): Promise<Runtime> {
  const reader = await divertOutput(folder);
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: workers.map((worker, i) => ({ ...optionsOf(worker), ...(i > 0 && NO_CONSUMER) })),
      resourcePersistencePath: join(state, "v3"),
      ...(inspectorPort !== undefined && { inspectorPort }),
    }),
  );
  const stop = async () => {
    await runtime.dispose();
    reader.kill();
  };
  try {
    const urls: Record<string, string> = {};
    for (const { name } of workers) urls[name] = (await runtime.unsafeGetDirectURL(name)).origin;
    return { urls, pid: await findDescendant("workerd"), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A queue has one consumer: of several Workers of the same configuration that is the first. */
const NO_CONSUMER = { queueConsumers: [] };

function optionsOf({ name, built, databases = {}, vars = {}, r2 = true }: RuntimeWorker): object {
  // assets stand in front of a Worker and would be a proxy again; no measured route asks for one
  const {
    assets: _,
    d1Databases,
    bindings,
    ...options
  } = unstable_getMiniflareWorkerOptions(built.config).workerOptions;
  const replaced = Object.entries(databases).map(([binding, id]) => [binding, { id }]);
  return {
    ...options,
    name,
    bindings: { ...(bindings as object), ...vars },
    modules: listModules(built.script),
    d1Databases: { ...(d1Databases as object), ...Object.fromEntries(replaced) },
    ...(!r2 && { r2Buckets: {} }),
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
}

/** The entry as worker.js, and what was built beside it for it to load (src/cli/build/worker-modules.ts). */
export function listModules(script: string): object[] {
  const others = globSync("modules/*.js", { cwd: dirname(script) }).map((path) => [path, join(dirname(script), path)]);
  return [["worker.js", script] as const, ...others].map(([path, file = ""]) => ({
    type: "ESModule",
    path,
    contents: readFileSync(file, "utf8"),
  }));
}

/** miniflare would parse what workerd writes, in the process of the bench: so workerd is started with another stdout. */
async function divertOutput(folder: string) {
  const [pipe, command] = [join(folder, "output"), join(folder, "workerd.sh")];
  await promisify(execFile)("mkfifo", [pipe]);
  await writeFile(command, `#!/bin/sh\nexec '${WORKERD}' "$@" > '${pipe}'\n`);
  await chmod(command, 0o755);
  process.env["MINIFLARE_WORKERD_PATH"] = command;
  // opened for writing, too: it does not end with a workerd that was killed, and another one finds its reader
  return spawn("sh", ["-c", `exec cat <> '${pipe}' > /dev/null`], { stdio: "ignore" });
}
