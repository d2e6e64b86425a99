/**
 * Trust anchors in KV: the CA/QC services of trusted lists, found by the name of the certificate they issued.
 * A list is one source and one jurisdiction. They are written by trust-import.ts; whether an anchor may be believed is
 * decided in validity.ts.
 */
import type { Qualification } from "./qualification.ts";

/** Last segment of the TS 119 612 status URI: "granted", "withdrawn", "undersupervision", ... */
export type ServiceStatus = string;
export type CertificateUse = "web-authentication" | "seal" | "signature";

export interface StatusPeriod {
  status: ServiceStatus;
  /** ISO instant; the period lasts until the next one begins. */
  from: string;
  /** What the service may issue; null when the list says nothing about it. */
  uses: CertificateUse[] | null;
  /** What the list says of single certificates of the service; absent when it says nothing. */
  qualifications?: Qualification[];
}

/** One certificate of one CA/QC service. */
export interface TrustAnchor {
  /** Base64 DER. */
  certificate: string;
  /** "eIDAS", "OBIE", "sandbox", ... */
  source: string;
  /** ISO 3166 country of the list: GR and GB, not EL and UK. */
  jurisdiction: string;
  qtspName: string;
  serviceName: string;
  /** Oldest first. */
  periods: StatusPeriod[];
}

/** An anchor with what its list says of its own age. */
export interface ListedAnchor extends TrustAnchor {
  /** Absent in what was imported before they were kept. */
  listSequenceNumber?: number;
  /** ISO instant. */
  listIssuedAt?: string;
  /** ISO instant after which the list is stale; null for a list that is closed. */
  listNextUpdate: string | null;
}

export interface TrustList {
  source: string;
  jurisdiction: string;
  sequenceNumber: number;
  issuedAt: string;
  nextUpdate: string | null;
  /** Services on the list, of any type. */
  services: number;
  anchors: TrustAnchor[];
}

/** What is known of a loaded list without reading its anchors. */
export interface TrustListManifest extends Omit<TrustList, "anchors"> {
  fetchedAt: string;
  anchors: number;
  /** KV key of each anchor name -> SHA-256 of what this list holds there. */
  keys: Record<string, string>;
}

const ANCHORS = "trust/anchors/";
const PENDING = "trust/pending/";
export const TRUST_LISTS = "trust/list/";
export const trustListKey = (source: string, jurisdiction: string) => `${TRUST_LISTS}${source}/${jurisdiction}`;
/** What a broken-off import may have touched. */
export const pendingTrustKey = (source: string, jurisdiction: string) => `${PENDING}${source}/${jurisdiction}`;
export const anchorsKey = (subjectNameKey: string) => `${ANCHORS}${subjectNameKey}`;

/** The part of Workers KV that a check needs: many keys in one call, which is one round trip. */
export interface AnchorReader {
  get(keys: string[], type: "json"): Promise<Map<string, unknown>>;
}

/** The anchors that bear one of these names: one round trip. */
export async function readAnchors(kv: AnchorReader, subjectNameKeys: readonly string[]): Promise<ListedAnchor[]> {
  const keys = [...new Set(subjectNameKeys)].map(anchorsKey);
  const found = (await kv.get(keys, "json")) as Map<string, ListedAnchor[] | null>;
  return [...found.values()].flatMap((anchors) => anchors ?? []);
}

/** The manifests of all lists that are loaded: at most one listing's worth, 1,000. */
export async function listTrustLists(kv: ManifestReader): Promise<TrustListManifest[]> {
  const { keys } = await kv.list({ prefix: TRUST_LISTS });
  const manifests = await Promise.all(keys.map(({ name }) => kv.get(name, "json")));
  return manifests.filter((manifest) => manifest !== null) as TrustListManifest[];
}

interface ManifestReader {
  list(options: { prefix: string }): Promise<{ keys: { name: string }[] }>;
  get(key: string, type: "json"): Promise<unknown>;
}
