/** wrangler.toml for a command on a deployed service: its D1 and KV, without what only the Worker uses. Pure. */
import { parse, stringify } from "smol-toml";
import type { StoreIds } from "./deployed-stores.ts";
import type { Environment } from "./target.ts";

type Tables = Record<string, unknown>;

/** Durable Objects, static files and queues. */
const OF_THE_WORKER = ["durable_objects", "exports", "assets", "queues"];
/** The tables of remote stores, and what their ids are called there. */
const IDS = { d1_databases: "database_id", kv_namespaces: "id" } as const;

function* bindingsOf(tables: Tables): Generator<[binding: Tables, id: string]> {
  for (const [name, id] of Object.entries(IDS))
    for (const binding of (tables[name] ?? []) as Tables[]) yield [binding, id];
}

const tablesOf = (configuration: Tables, environment: Environment | null): Tables =>
  environment === null ? configuration : (((configuration["env"] ?? {}) as Record<string, Tables>)[environment] ?? {});

/** Whether a store is named by its binding alone. Throws on what is not TOML. */
export const lacksIds = (configuration: string, environment: Environment | null): boolean =>
  [...bindingsOf(tablesOf(parse(configuration), environment))].some(([binding, id]) => binding[id] === undefined);

/**
 * Sets `remote` on the bindings of D1 and KV, so that the proxy uses the deployed stores, and their ids where there are
 * none; one that is not deployed yet, as a database that was just added, is left out. By the file's meaning, not by its
 * text: a binding that is written in another way would be that of the local store, silently. Throws on what is not TOML.
 */
export function makeRemoteConfiguration(
  configuration: string,
  environment: Environment | null,
  deployed: StoreIds,
): string {
  const production: Tables = parse(configuration);
  const environments = Object.values((production["env"] ?? {}) as Record<string, Tables>);
  for (const tables of [production, ...environments]) for (const name of OF_THE_WORKER) delete tables[name];
  const tables = tablesOf(production, environment);
  for (const [binding, id] of bindingsOf(tables)) {
    binding[id] ??= deployed.get(String(binding["binding"]));
    binding["remote"] = true;
  }
  for (const [name, id] of Object.entries(IDS))
    tables[name] = ((tables[name] ?? []) as Tables[]).filter((binding) => binding[id] !== undefined);
  return stringify(production);
}
