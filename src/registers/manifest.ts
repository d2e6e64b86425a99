/** Describes a loaded register without its PSPs: one small KV entry for each country and source. */
import type { ChangeRecord } from "../platform/import-change.ts";
import type { Instant } from "../platform/instant.ts";
import { callStore, LONG_STORE_TIMEOUT_MS } from "../platform/stores.ts";
import { REGISTER_MANIFESTS } from "./keys.ts";
import { type Published, REGISTER_SOURCES, type RegisterSource, SOURCES } from "./sources.ts";

/** Of the PSPs that are kept, and of those that are undated: every check reads a manifest. */
export const MOST_NAMED = 10;

/** What changed is counted in PSPs. */
export interface RegisterManifest extends ChangeRecord, Published {
  readonly country: string;
  readonly source: RegisterSource;
  readonly ncaId: string;
  readonly ncaName: string;
  /** ISO 8601: when the source published this snapshot, and when this was last found to be its current one. */
  readonly published: string;
  readonly fetchedAt: string;
  /** As in the EBA's file: the files of one day may be published at two times, as the metadata say or as their records do. */
  readonly newestRecord?: string | undefined;
  readonly psps: number;
  readonly agents: number;
  /** Number of PSPs whose records in this snapshot are malformed. Their records of an earlier snapshot are kept. */
  readonly refused: number;
  /** The numbers of the first of those that are kept; absent if there are none. */
  readonly kept?: readonly string[];
  /** The numbers of the first PSPs with a category that was withdrawn, it cannot be read when; absent if there are none. */
  readonly undated?: readonly string[];
  /** The commonest forms of its PSPs' numbers (holes.ts); absent before the next import. */
  readonly numberForms?: readonly string[];
  /** The numbers of the first PSPs that this snapshot lacks, and that stay until a second fetch agrees; absent if there are none. */
  readonly awaited?: readonly string[];
  /** Set if the source says of no snapshot when it was published: `published` is then the instant of the fetch. */
  readonly dated?: "fetch";
  /** SHA-256 of what was fetched, in lower-case hex; with `dated` alone. */
  readonly sha256?: string;
  /** SHA-256 over the hashes of all entries. */
  readonly hash: string;
  /** Identifies the import that wrote the entries: see import/import-register.ts. */
  readonly run: string;
}

/** The age in milliseconds from which answers contain a warning, by source; null for no limit. */
export type RegisterMaxAges = Readonly<Record<RegisterSource, number | null>>;

const HOUR_MS = 3_600_000;

const limits = (hoursOf: (source: RegisterSource) => number): RegisterMaxAges =>
  Object.fromEntries(
    REGISTER_SOURCES.map((source) => [source, hoursOf(source) > 0 ? hoursOf(source) * HOUR_MS : null]),
  ) as Record<RegisterSource, number | null>;

export const DEFAULT_REGISTER_MAX_AGES_MS = limits((source) => SOURCES[source].maxAge.hours);

export type RegisterMaxAgeVars = Partial<Pick<Env, (typeof SOURCES)[RegisterSource]["maxAge"]["setting"]>>;

/** The limits as configured in wrangler.toml, in milliseconds. A setting of 0 hours means no limit; a missing setting has its default. */
export const registerMaxAges = (env: RegisterMaxAgeVars): RegisterMaxAges =>
  limits((source) => env[SOURCES[source].maxAge.setting] ?? SOURCES[source].maxAge.hours);

/**
 * The date from which a register ages: the earlier of its publication and its import or fetch. To fetch or import an old
 * file again makes it no younger. A publication that lies ahead, or that cannot be read, does not count: such a register
 * would never be stale.
 */
export function registerDate({ published, fetchedAt }: Pick<RegisterManifest, "published" | "fetchedAt">): Instant {
  const [from, fetched] = [Date.parse(published), Date.parse(fetchedAt)];
  return Number.isNaN(from) ? fetched : Math.min(from, fetched);
}

/** From when on a register is older than it may be; infinite without a limit. */
export const staleFrom = (manifest: RegisterManifest, maxAges: RegisterMaxAges): Instant =>
  registerDate(manifest) + (maxAges[manifest.source] ?? Number.POSITIVE_INFINITY) + 1;

/** Whether a register is older than it may be at `now`: for answers, status, metrics and events alike. */
export const isRegisterStale = (manifest: RegisterManifest, maxAges: RegisterMaxAges, now: Instant): boolean =>
  staleFrom(manifest, maxAges) <= now;

/** The part of Workers KV that lists and reads the manifests. */
export interface ManifestReader {
  list(options: { prefix: string }): Promise<{ keys: { name: string }[] }>;
  get(key: string, type: "json"): Promise<unknown>;
}

/** The manifests of all loaded registers, by country: at most 1,000, which is one KV listing. */
export async function listRegisters(kv: ManifestReader): Promise<RegisterManifest[]> {
  const { keys } = await callStore("KV", () => kv.list({ prefix: REGISTER_MANIFESTS }));
  // all at once, of which the platform begins six
  const read = (name: string) => callStore("KV", () => kv.get(name, "json"), LONG_STORE_TIMEOUT_MS);
  const manifests = await Promise.all(keys.map(({ name }) => read(name)));
  return manifests.filter((manifest) => manifest !== null) as RegisterManifest[];
}
