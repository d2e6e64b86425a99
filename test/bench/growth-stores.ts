/** An empty database after all migrations, and a Worker that works on it, in workerd. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getPlatformProxy } from "wrangler";
import { findPending, migrate } from "../../src/cli/database/migrations.ts";
import { bundle } from "./bundle.ts";
import { startRuntime } from "./runtime.ts";
import { listDatabaseFiles } from "./table-size.ts";

const WORKER = join(import.meta.dirname, "growth-worker.ts");

/** Answers a request to the Worker. */
type Ask = <Result = object>(path: string, asked: object) => Promise<Result>;

export interface GrowthStores {
  readonly ask: Ask;
  /** Of the database. */
  readonly file: string;
  /** Of workerd. */
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** In `folder`. `given` goes with every request; `bindings`: beside `DB`, as wrangler.toml has them. */
export async function startGrowthStores(
  folder: string,
  given: object,
  worker = WORKER,
  bindings = "",
): Promise<GrowthStores> {
  const config = join(folder, "wrangler.toml");
  const database = '[[d1_databases]]\nbinding = "DB"\ndatabase_name = "growth"\n';
  await writeFile(
    config,
    `name = "growth"\nmain = ${JSON.stringify(worker)}\ncompatibility_date = "2026-10-15"\n${database}${bindings}`,
  );
  await mkdir(join(folder, "built"));
  await migrateIn(folder, config);
  const built = await bundle(config, worker, join(folder, "built"));
  const { urls, pid, stop } = await startRuntime([{ name: "growth", built }], folder, folder);
  const ask = async <Result = object>(path: string, asked: object): Promise<Result> => {
    const response = await fetch(`${urls["growth"]}/${path}`, {
      method: "POST",
      body: JSON.stringify({ ...given, ...asked }),
    });
    if (!response.ok) throw new Error(`/${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Result;
  };
  const [file] = await listDatabaseFiles(folder);
  if (file === undefined) throw new Error(`${folder}: no database`);
  return { ask, file, pid, stop };
}

async function migrateIn(folder: string, config: string): Promise<void> {
  const { env, dispose } = await getPlatformProxy<Env>({ configPath: config, persist: { path: join(folder, "v3") } });
  try {
    await migrate(env.DB, (await findPending(env.DB)).migrations);
  } finally {
    await dispose();
  }
}
