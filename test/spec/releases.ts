/** Built Workers of two releases on one state, as in a gradual deployment: each at an address of its own, in workerd. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { buildWorkerModules } from "../../src/cli/build/worker-modules.ts";
import { readConfiguration } from "../../src/cli/configuration.ts";
import { addDatabase } from "../../src/cli/database/database.ts";
import { NEWEST_MIGRATION } from "../../src/platform/schema-version.ts";
import { convertV4MiniflareOptions, listModules, Miniflare } from "../bench/runtime.ts";
import { ROOT } from "./service.ts";

/** What workerd keeps for them: the bindings of wrangler.toml, with a second database. */
type Stores = Pick<Env, "DB" | "KV"> & { readonly DB_2: D1Database };

const SECRETS = {
  TOKEN_KEY_20260101T000000Z: "dGVzdC1rZXktdGVzdC1rZXktdGVzdC1rZXktdGVzdC0",
};

export interface Running {
  /** In the order of the releases. */
  readonly urls: readonly string[];
  readonly stores: Stores;
  readonly stop: () => Promise<void>;
}

/** `root`: for the builds and the state. Call `remove` at the end. */
export async function makeReleases() {
  const root = await mkdtemp(join(tmpdir(), "psp-gate-releases-"));

  /** Builds this source as a release whose newest migration is `newest`; returns its configuration. */
  async function build(newest: string): Promise<string> {
    const folder = join(root, newest);
    await mkdir(folder);
    const source = join(ROOT, "src/platform/schema-version.ts");
    const known = join(folder, "schema-version.ts");
    const text = (await readFile(source, "utf8"))
      .replace(`NEWEST_MIGRATION = "${NEWEST_MIGRATION}"`, `NEWEST_MIGRATION = "${newest}"`)
      .replace('"./stores.ts"', JSON.stringify(join(dirname(source), "stores.ts")));
    await writeFile(known, text);
    const names = ["../platform/schema-version.ts", "../../platform/schema-version.ts"];
    const modules = join(folder, "modules");
    await buildWorkerModules(modules, undefined, Object.fromEntries(names.map((name) => [name, known])));
    const added = addDatabase(await readConfiguration(join(modules, "index.js")));
    if (!added.ok) throw new Error(added.message);
    await writeFile(join(folder, "wrangler.toml"), added.configuration);
    return folder;
  }

  /**
   * Serves releases, given by their builds, on the one state. The objects run in the first: Cloudflare runs each in one version.
   * Each start is of cold isolates.
   */
  async function serve(...builds: readonly string[]): Promise<Running> {
    const runtime = new Miniflare(
      convertV4MiniflareOptions({
        workers: builds.map(optionsOf),
        resourcePersistencePath: join(root, "state"),
      }),
    );
    const names = builds.map((_, i) => nameOf(i));
    const urls = await Promise.all(names.map(async (name) => (await runtime.unsafeGetDirectURL(name)).origin));
    const stores = (await runtime.getBindings(FIRST)) as unknown as Stores;
    return { urls, stores, stop: () => runtime.dispose() };
  }

  return { build, serve, remove: () => rm(root, { recursive: true, force: true }) };
}

const FIRST = "psp-gate";
const nameOf = (i: number): string => (i === 0 ? FIRST : `${FIRST}-beside`);

function optionsOf(folder: string, i: number): object {
  const {
    assets: _,
    bindings,
    durableObjects = {},
    ...options
  } = unstable_getMiniflareWorkerOptions(join(folder, "wrangler.toml")).workerOptions;
  const objects = Object.entries(durableObjects as Record<string, object>).map(([binding, object]) => [
    binding,
    { ...object, ...(i > 0 && { scriptName: FIRST }) },
  ]);
  return {
    ...options,
    name: nameOf(i),
    bindings: { ...(bindings as object), ...SECRETS },
    modules: listModules(join(folder, "modules/index.js")),
    durableObjects: Object.fromEntries(objects),
    // a queue has one consumer
    ...(i > 0 && { queueConsumers: {} }),
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
}
