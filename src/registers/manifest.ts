/** What is known of a loaded register without reading its PSPs: one small KV entry per country and source. */
import { REGISTER_MANIFESTS } from "./keys.ts";
import type { RegisterSource } from "./psp-record.ts";

export interface RegisterManifest {
  readonly country: string;
  readonly source: RegisterSource;
  readonly ncaId: string;
  readonly ncaName: string;
  /** ISO instants: when the source published this snapshot, and when it was last seen to be the current one. */
  readonly published: string;
  readonly fetchedAt: string;
  readonly psps: number;
  readonly agents: number;
  /** PSPs that keep what an earlier snapshot said of them, because this one's records of them are malformed. */
  readonly refused: number;
  /** SHA-256 over the hashes of all entries. */
  readonly hash: string;
  /** Names the import that wrote it: see import/import-register.ts. */
  readonly run: string;
}

/** How old a source's snapshot may grow before answers carry a warning; null for no limit. Milliseconds. */
export type RegisterMaxAges = Readonly<Record<RegisterSource, number | null>>;

const HOUR_MS = 3_600_000;
const MONTH_MS = 31 * 24 * HOUR_MS;

/** The EBA publishes daily; the other forms are brought by hand. */
export const DEFAULT_REGISTER_MAX_AGES_MS: RegisterMaxAges = {
  nca: MONTH_MS,
  "credit-institutions": MONTH_MS,
  eba: 48 * HOUR_MS,
};

/**
 * Milliseconds since a register was known to be true. The EBA's is as old as its publication, however often the same
 * one is fetched; a file brought by hand was, to whoever brought it, the current one that day.
 */
export const registerAge = (manifest: RegisterManifest, now: number): number =>
  now - Date.parse(manifest.source === "eba" ? manifest.published : manifest.fetchedAt);

/** The part of Workers KV that lists and reads the manifests. */
export interface ManifestReader {
  list(options: { prefix: string }): Promise<{ keys: { name: string }[] }>;
  get(key: string, type: "json"): Promise<unknown>;
}

/** The manifests of every register that is loaded, by country: at most one listing's worth, 1,000. */
export async function listRegisters(kv: ManifestReader): Promise<RegisterManifest[]> {
  const { keys } = await kv.list({ prefix: REGISTER_MANIFESTS });
  const manifests = await Promise.all(keys.map(({ name }) => kv.get(name, "json")));
  return manifests.filter((manifest) => manifest !== null) as RegisterManifest[];
}
