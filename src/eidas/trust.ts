/**
 * Trust anchors in KV: the CA/QC services of trusted lists, found by the name of the certificate they issued.
 * A list is one source and one jurisdiction; its manifest names the keys it holds, so that a refresh writes only what
 * changed and removes what vanished. Whether an anchor may be believed is decided in validity.ts.
 */
import { createHash } from "node:crypto";
import { fromBase64 } from "../encoding.ts";
import type { KeyValueStore } from "../key-value-store.ts";
import { parseCertificate } from "./certificate.ts";
import { nameKey } from "./names.ts";

/** Last segment of the TS 119 612 status URI: "granted", "withdrawn", "undersupervision", ... */
export type ServiceStatus = string;
export type CertificateUse = "web-authentication" | "seal" | "signature";

export interface StatusPeriod {
  status: ServiceStatus;
  /** ISO instant; the period lasts until the next one begins. */
  from: string;
  /** What the service may issue; null when the list says nothing about it. */
  uses: CertificateUse[] | null;
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
export const TRUST_LISTS = "trust/list/";
export const trustListKey = (source: string, jurisdiction: string) => `${TRUST_LISTS}${source}/${jurisdiction}`;
export const anchorsKey = (subjectNameKey: string) => `${ANCHORS}${subjectNameKey}`;

export interface TrustImport {
  written: number;
  removed: number;
  unchanged: number;
}

/**
 * Replaces a source's list of a jurisdiction. Anchors first, manifest last: a broken-off import is finished by the
 * next, and each anchor turns at once. Another list's anchors under the same name stay.
 */
export async function importTrustList(kv: KeyValueStore, list: TrustList, now: number): Promise<TrustImport> {
  const { source, jurisdiction } = list;
  const manifestKey = trustListKey(source, jurisdiction);
  const before = await kv.get<TrustListManifest>(manifestKey, "json");
  const wanted = new Map<string, ListedAnchor[]>();
  for (const anchor of list.anchors) {
    const der = fromBase64(anchor.certificate);
    if (!der) throw new TypeError(`trust list ${source}/${jurisdiction}: an anchor is not base64`);
    const key = anchorsKey(nameKey(parseCertificate(der).subject));
    wanted.set(key, [...(wanted.get(key) ?? []), { ...anchor, source, jurisdiction, listNextUpdate: list.nextUpdate }]);
  }

  const keys: Record<string, string> = {};
  const result: TrustImport = { written: 0, removed: 0, unchanged: 0 };
  const touched = new Set([...wanted.keys(), ...Object.keys(before?.keys ?? {})]);
  for (const key of touched) {
    const mine = wanted.get(key) ?? [];
    const hash = createHash("sha256").update(JSON.stringify(mine)).digest("hex");
    if (mine.length > 0) keys[key] = hash;
    if (before?.keys[key] === hash) {
      result.unchanged++;
      continue;
    }
    const stored = (await kv.get<ListedAnchor[]>(key, "json")) ?? [];
    const others = stored.filter((anchor) => anchor.source !== source || anchor.jurisdiction !== jurisdiction);
    if (mine.length + others.length === 0) await kv.delete(key);
    else await kv.put(key, JSON.stringify([...others, ...mine]));
    result[mine.length === 0 ? "removed" : "written"]++;
  }
  const manifest: TrustListManifest = {
    ...list,
    fetchedAt: new Date(now).toISOString(),
    anchors: list.anchors.length,
    keys,
  };
  await kv.put(manifestKey, JSON.stringify(manifest));
  return result;
}

/** The part of Workers KV that a check needs: many keys in one call, which is one round trip. */
interface AnchorReader {
  get(keys: string[], type: "json"): Promise<Map<string, unknown>>;
}

/** The anchors that bear one of these names: one round trip. */
export async function readAnchors(kv: AnchorReader, subjectNameKeys: readonly string[]): Promise<ListedAnchor[]> {
  const keys = [...new Set(subjectNameKeys)].map(anchorsKey);
  const found = (await kv.get(keys, "json")) as Map<string, ListedAnchor[] | null>;
  return [...found.values()].flatMap((anchors) => anchors ?? []);
}
