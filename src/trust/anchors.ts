/**
 * Trust anchors in KV: the CA/QC services of trusted lists, by subject name. A list has one source and one
 * jurisdiction.
 */
import type { ChangeRecord } from "../platform/import-change.ts";
import { callStore, LONG_STORE_TIMEOUT_MS } from "../platform/store-error.ts";
import type { Qualification } from "./qualification.ts";

/** The last segment of a TS 119 612 status URI: "granted", "withdrawn", "undersupervision", ... */
export type ServiceStatus = string;
export type CertificateUse = "web-authentication" | "seal" | "signature";

export interface StatusPeriod {
  status: ServiceStatus;
  /** ISO 8601; the period ends when the next one begins. */
  from: string;
  /** The uses for which the service may issue certificates; null if the source does not state them. */
  uses: CertificateUse[] | null;
  /** What the list says about single certificates of the service; absent if it says nothing. */
  qualifications?: Qualification[];
}

/** One certificate of one CA/QC service. */
export interface TrustAnchor {
  /** Base64 DER. */
  certificate: string;
  /** "eIDAS", "OBIE", "sandbox", ... */
  source: string;
  /** ISO 3166 country code of the list: GR and GB, not EL and UK. */
  jurisdiction: string;
  qtspName: string;
  serviceName: string;
  /** Oldest first. */
  periods: StatusPeriod[];
}

/** An anchor with the number and dates of its list. */
export interface ListedAnchor extends TrustAnchor {
  /** Absent, as is `listIssuedAt`, in anchors that were imported before these fields existed. */
  listSequenceNumber?: number;
  /** ISO 8601. */
  listIssuedAt?: string;
  /** ISO 8601: the list is stale after this time; null for a closed list. */
  listNextUpdate: string | null;
}

export interface TrustList {
  source: string;
  jurisdiction: string;
  sequenceNumber: number;
  issuedAt: string;
  nextUpdate: string | null;
  /** Number of services on the list, of any type. */
  services: number;
  anchors: TrustAnchor[];
}

/** Describes a loaded list without its anchors. What changed is counted in anchor names, which are CAs. */
export interface TrustListManifest extends Omit<TrustList, "anchors">, ChangeRecord {
  fetchedAt: string;
  anchors: number;
  /** How many of them are granted now; absent in manifests of earlier releases. */
  granted?: number;
  /** KV key of each anchor name -> SHA-256 of this list's anchors under that key. */
  keys: Record<string, string>;
}

const ANCHORS = "trust/anchors/";
const PENDING = "trust/pending/";
const TRUST_LISTS = "trust/list/";
export const trustListKey = (source: string, jurisdiction: string) => `${TRUST_LISTS}${source}/${jurisdiction}`;
/** Holds the keys that an interrupted import may have changed. */
export const pendingTrustKey = (source: string, jurisdiction: string) => `${PENDING}${source}/${jurisdiction}`;
export const anchorsKey = (subjectNameKey: string) => `${ANCHORS}${subjectNameKey}`;

/** The part of Workers KV that a check needs: reads many keys in one round trip. */
export interface AnchorReader {
  get(keys: string[], type: "json"): Promise<Map<string, unknown>>;
}

/** The anchors with one of these subject names: one round trip. */
export async function readAnchors(kv: AnchorReader, subjectNameKeys: readonly string[]): Promise<ListedAnchor[]> {
  const keys = [...new Set(subjectNameKeys)].map(anchorsKey);
  const found = (await callStore("KV", () => kv.get(keys, "json"))) as Map<string, ListedAnchor[] | null>;
  return [...found.values()].flatMap((anchors) => anchors ?? []);
}

/** The manifests of all loaded lists: at most 1,000, which is one KV listing. Throws StoreError. */
export async function listTrustLists(kv: ManifestReader): Promise<TrustListManifest[]> {
  const { keys } = await callStore("KV", () => kv.list({ prefix: TRUST_LISTS }));
  // all at once, of which the platform begins six
  const read = (name: string) => callStore("KV", () => kv.get(name, "json"), LONG_STORE_TIMEOUT_MS);
  const manifests = await Promise.all(keys.map(({ name }) => read(name)));
  return manifests.filter((manifest) => manifest !== null) as TrustListManifest[];
}

interface ManifestReader {
  list(options: { prefix: string }): Promise<{ keys: { name: string }[] }>;
  get(key: string, type: "json"): Promise<unknown>;
}
