/** The service's own wrangler.toml for the bench, and one for the bare routes beside it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildSite } from "../../src/cli/build/site.ts";
import { readConfiguration } from "../../src/cli/configuration.ts";

/** More than any run sends: the limit is counted as always, but refuses nobody. */
const NO_LIMIT = 1_000_000_000;

/** Of the bare routes: the tables that the service's own are replaced by, and a Durable Object of their own. */
const ADDED = `
[[d1_databases]]
binding = "DB_THOUSAND"
database_name = "thousand"

[[d1_databases]]
binding = "DB_TEN_MILLION"
database_name = "ten-million"

[[durable_objects.bindings]]
name = "BARE_RECORD"
class_name = "BareRecord"

[exports.BareRecord]
type = "durable-object"
storage = "sqlite"
`;

export const SERVICE = join(import.meta.dirname, "../../src/index.ts");
export const BARE = join(import.meta.dirname, "bare-routes.ts");

export interface Configuration {
  readonly service: string;
  readonly bare: string;
  /** The stores alone, for the process that seeds them: only the Worker itself can run Durable Objects. */
  readonly stores: string;
}

/** Writes them into `folder`. `vars` are added to the Workers'. */
export async function writeConfiguration(folder: string, vars: Record<string, string>): Promise<Configuration> {
  await buildSite({ sandbox: false });
  const added = Object.entries(vars).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  const withVars = (text: string) =>
    text
      .replace("[vars]\n", `[vars]\n${added.join("")}`)
      .replace(/^RATE_LIMIT_REQUESTS = .*$/m, `RATE_LIMIT_REQUESTS = ${NO_LIMIT}`);
  const without = (text: string, tables: RegExp) =>
    text
      .split(/^(?=\[)/m)
      .filter((table) => !tables.test(table))
      .join("");
  const bare = withVars(await readConfiguration(BARE)) + ADDED;
  const configuration = {
    service: join(folder, "service/wrangler.toml"),
    bare: join(folder, "bare/wrangler.toml"),
    stores: join(folder, "stores.toml"),
  };
  for (const name of ["service", "bare"]) await mkdir(join(folder, name));
  await writeFile(configuration.service, withVars(await readConfiguration(SERVICE)));
  // the bare routes have none of the service's Durable Objects, crons and limiters
  const own = /^\[+(env\.|assets|triggers|ratelimits|exports\.(RateWindow|AuthorizationCode|Ledger)\b)/;
  const ofService = /class_name = "(RateWindow|AuthorizationCode|Ledger)"/;
  await writeFile(
    configuration.bare,
    without(without(bare, own), ofService).replace('name = "psp-gate"', 'name = "bare"'),
  );
  await writeFile(configuration.stores, without(bare, /^\[+(env\.|durable_objects|exports|assets)\b/));
  return configuration;
}
