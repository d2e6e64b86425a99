/**
 * The service as it is configured and built, in workerd itself, on stores that were laid out before: requests reach it
 * without a proxy in front.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getPlatformProxy } from "wrangler";
import { buildSite } from "../../src/cli/build/site.ts";
import { readConfiguration } from "../../src/cli/configuration.ts";
import { makeSecret } from "../../src/platform/secrets.ts";
import { bundle } from "../bench/bundle.ts";
import { startRuntime } from "../bench/runtime.ts";
import { findFreePort } from "../free-port.ts";
import type { World } from "./world/certificates.ts";
import { seedWorld } from "./world/seed.ts";

const NAME = "psp-gate";
const ENTRY = join(import.meta.dirname, "../../src/index.ts");

export interface BuiltService {
  /** Without a slash at the end. */
  readonly url: string;
  /** Of workerd. */
  readonly pid: number;
  /** Of the isolate; null without the inspector. */
  readonly debuggerUrl: string | null;
  readonly stop: () => Promise<void>;
}

/** Builds it, seeds its stores and starts it, all of it in `folder`. */
export async function startBuiltService(
  folder: string,
  { inspector }: { inspector: boolean },
): Promise<BuiltService & { readonly world: World }> {
  const config = join(folder, "wrangler.toml");
  const stores = join(folder, "stores.toml");
  const state = join(folder, "state");
  await buildSite({ sandbox: false });
  const text = (await readConfiguration()).replace("[vars]\n", `[vars]\nTOKEN_KEY_load = "${makeSecret()}"\n`);
  await writeFile(config, text);
  // only the Worker itself can run Durable Objects
  const tables = text.split(/^(?=\[)/m);
  await writeFile(
    stores,
    tables.filter((table) => !/^\[+(env\.|durable_objects|exports|assets)\b/.test(table)).join(""),
  );
  const built = await bundle(config, ENTRY, join(folder, "built"));
  const world = await seed(stores, state);
  const port = inspector ? await findFreePort() : undefined;
  const { urls, pid, stop } = await startRuntime([{ name: NAME, built }], folder, state, port);
  const url = urls[NAME];
  if (url === undefined) throw new Error(`${NAME} does not serve`);
  const debuggerUrl = port === undefined ? null : `ws://127.0.0.1:${port}/core:user:${NAME}`;
  return { url, pid, debuggerUrl, stop, world };
}

async function seed(configPath: string, state: string): Promise<World> {
  const { env, dispose } = await getPlatformProxy<Pick<Env, "DB" | "KV">>({
    configPath,
    persist: { path: join(state, "v3") },
  });
  try {
    return await seedWorld(env);
  } finally {
    await dispose();
  }
}
