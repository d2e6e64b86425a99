/** wrangler.toml for a command on a deployed service: its D1 and KV, without what only the Worker uses. Pure. */
import { parse, stringify } from "smol-toml";

type Tables = Record<string, unknown>;

/** Durable Objects, static files and queues. */
const OF_THE_WORKER = ["durable_objects", "exports", "assets", "queues"];
const REMOTE = ["d1_databases", "kv_namespaces"];

/**
 * Sets `remote` on the bindings of D1 and KV, so that the proxy uses the deployed stores. By the file's meaning, not by its
 * text: a binding that is written in another way would be that of the local store, silently. Throws on what is not TOML.
 */
export function makeRemoteConfiguration(configuration: string): string {
  const production: Tables = parse(configuration);
  const environments = Object.values((production["env"] ?? {}) as Record<string, Tables>);
  for (const tables of [production, ...environments]) {
    for (const name of OF_THE_WORKER) delete tables[name];
    for (const name of REMOTE) for (const binding of (tables[name] ?? []) as Tables[]) binding["remote"] = true;
  }
  return stringify(production);
}
