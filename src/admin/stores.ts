/**
 * The stores that a command works on: those of the local `npm start`, or with `--remote` those of the deployed service.
 * wrangler provides the bindings of both.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hideLockLines, waitForStores } from "./busy-stores.ts";
import { readConfiguration } from "./configuration.ts";

export const ROOT = join(import.meta.dirname, "../..");

/** Folder of the local D1, KV and Durable Objects. Tests set STATE_DIR, so that they do not use the developer's. */
export const STATE = process.env["STATE_DIR"] ?? join(ROOT, ".wrangler/state");
/** File of local secrets. wrangler reads it by default from the repository's root. */
export const DEV_VARS = join(process.env["STATE_DIR"] ?? ROOT, ".dev.vars");

export interface Stores {
  readonly env: Env;
  readonly ctx: ExecutionContext;
}

/** Opens the stores, runs `work`, and closes them, also after a failure. */
export async function withStores<Result>(
  options: { remote: boolean },
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  // half a second and more to load: not for the commands that need no store
  const [{ getPlatformProxy }, { migrate }] = await Promise.all([import("wrangler"), import("./migrations.ts")]);
  const config = await makeConfig(options.remote);
  const proxy = await getPlatformProxy<Env>({
    configPath: config.path,
    persist: { path: join(STATE, "v3") },
  });
  const ctx = proxy.ctx as ExecutionContext;
  const showLockLines = hideLockLines();
  try {
    if (options.remote) return await work({ env: proxy.env, ctx });
    const { DB, KV, begin } = waitForStores(proxy.env);
    await migrate(DB);
    begin();
    return await work({ env: { ...proxy.env, DB, KV }, ctx });
  } finally {
    await proxy.dispose();
    await config.remove();
    showLockLines();
  }
}

/**
 * Writes a copy of wrangler.toml for a command: D1 and KV, without the Durable Objects, which only the Worker can run.
 * `remote` is set on both bindings, so that the proxy uses the deployed stores with the operator's login.
 */
async function makeConfig(remote: boolean) {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-config-"));
  const path = join(folder, "wrangler.toml");
  const tables = (await readConfiguration()).split(/^(?=\[)/m);
  const config = tables
    .filter((table) => !/^\[+(durable_objects|exports)\b/.test(table))
    .join("")
    .replaceAll(/^binding = "(DB|KV)"$/gm, remote ? "$&\nremote = true" : "$&");
  await writeFile(path, config);
  return { path, remove: () => rm(folder, { recursive: true }) };
}
