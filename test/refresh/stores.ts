/** What the refresh tests share: the sources' addresses as variables, and KV as a value. */
import type { RefreshEnv } from "../../src/refresh/schedule.ts";
import type { Sources } from "./sources.ts";

/** Within which a source that is slow has not answered. Others have a minute: a loaded machine may need seconds. */
export const IMPATIENT = { REFRESH_TIMEOUT_SECONDS: 2 };

/** The stores with every source on loopback. */
export const withSources = (env: Env, { url }: Pick<Sources, "url">): RefreshEnv => ({
  KV: env.KV,
  DB: env.DB,
  TOKEN_RETENTION_DAYS: env.TOKEN_RETENTION_DAYS,
  RETENTION_DAYS: env.RETENTION_DAYS,
  PERMISSION_RETENTION_DAYS: env.PERMISSION_RETENTION_DAYS,
  LOTL_URL: `${url}/eu-lotl.xml`,
  TRUSTED_LIST_URL_TEMPLATE: `${url}/{territory}.xml`,
  EBA_METADATA_URL: `${url}/filemetadata.json`,
  EBA_FILES_URL: `${url}/eba/`,
  EBA_SEARCH_URL: `${url}/search`,
  REFRESH_TIMEOUT_SECONDS: 60,
});

/**
 * Everything under a prefix that a check could read, but for when it was fetched and which import wrote it. `pending`: and
 * what interrupted imports left.
 */
export async function dump(kv: KVNamespace, prefix: string, pending = false): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (let cursor: string | null = null, complete = false; !complete; ) {
    const page: KVNamespaceListResult<unknown> = await kv.list({ prefix, cursor });
    const names = page.keys.map(({ name }) => name).filter((name) => pending || !name.includes("/pending"));
    // as many as one reading may have; it counts as one request
    for (let i = 0; i < names.length; i += 100)
      for (const [name, value] of await kv.get<object>(names.slice(i, i + 100), "json"))
        found[name] = withoutRun(value);
    complete = page.list_complete;
    cursor = page.list_complete ? null : page.cursor;
  }
  return found;
}

function withoutRun(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("fetchedAt" in value)) return value;
  return { ...value, fetchedAt: null, run: null };
}

export async function clear(env: Pick<Env, "KV" | "DB">): Promise<void> {
  for (const prefix of ["trust/", "register/", "revocation/"])
    for (let complete = false; !complete; ) {
      const page = await env.KV.list({ prefix });
      await Promise.all(page.keys.map(({ name }) => env.KV.delete(name)));
      complete = page.list_complete;
    }
  await env.DB.batch([
    env.DB.prepare("DELETE FROM refreshes"),
    env.DB.prepare("DELETE FROM refresh_lease"),
    env.DB.prepare("DELETE FROM register_imports"),
    env.DB.prepare("DELETE FROM register_numbers"),
  ]);
}

/** A dump without what the manifests say of the way to it: what was there before decides what an import changed. */
export const withoutChanges = (dumped: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(dumped, (key, value) => (key === "lastChange" ? undefined : value)));
