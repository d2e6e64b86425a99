/** The service's own wrangler.toml with what the bench adds: its entry, its stores, no limit in the way. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfiguration } from "../../src/admin/configuration.ts";
import { buildSite } from "../../src/site/build.ts";

/** More than any run sends: the limit is counted as always, but refuses nobody. */
const NO_LIMIT = 1_000_000_000;

const ADDED = `
[[d1_databases]]
binding = "DB_THOUSAND"
database_name = "thousand"

[[d1_databases]]
binding = "DB_MILLION"
database_name = "million"

[[durable_objects.bindings]]
name = "BARE_RECORD"
class_name = "BareRecord"

[exports.BareRecord]
type = "durable-object"
storage = "sqlite"
`;

export interface Configuration {
  /** For `wrangler dev`. */
  readonly worker: string;
  /** The stores alone, for the process that seeds them: only the Worker itself can run Durable Objects. */
  readonly stores: string;
}

/** Writes both into `folder`. `vars` are added to the Worker's. */
export async function writeConfiguration(folder: string, vars: Record<string, string>): Promise<Configuration> {
  await buildSite({ sandbox: false });
  const added = Object.entries(vars).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  const text = `${await readConfiguration(join(import.meta.dirname, "worker.ts"))}${ADDED}`
    .replace("[vars]\n", `[vars]\n${added.join("")}`)
    .replace(/^RATE_LIMIT_REQUESTS = .*$/m, `RATE_LIMIT_REQUESTS = ${NO_LIMIT}`);
  const stores = text
    .split(/^(?=\[)/m)
    .filter((table) => !/^\[+(durable_objects|exports|assets)\b/.test(table))
    .join("");
  const configuration = { worker: join(folder, "worker.toml"), stores: join(folder, "stores.toml") };
  await writeFile(configuration.worker, text);
  await writeFile(configuration.stores, stores);
  return configuration;
}
