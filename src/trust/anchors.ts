/** Trust anchors in KV: the CA/QC services of trusted lists by subject name. A list has one source and jurisdiction. */

import { fromBase64 } from "../platform/encoding.ts";
import type { ChangeRecord } from "../platform/import-change.ts";
import type { Instant } from "../platform/instant.ts";
import { heapBytes, memoryOf } from "../platform/memory.ts";
import { callStore, LONG_STORE_TIMEOUT_MS } from "../platform/stores.ts";
import { type Certificate, parseCertificate } from "../x509/certificate.ts";

/** The last segment of a TS 119 612 status URI: "granted", "withdrawn", ... */
export type ServiceStatus = string;
export type CertificateUse = "web-authentication" | "seal" | "signature";

export interface StatusPeriod {
  status: ServiceStatus;
  /** ISO 8601; the period ends when the next one begins. */
  from: string;
  /** The uses for which the service may issue certificates; null if the source does not state them. */
  uses: CertificateUse[] | null;
  qualifications?: Qualification[];
}

export interface TrustAnchor {
  certificate: string;
  /** "eIDAS", "OBIE", "sandbox", ... */
  source: string;
  /** ISO 3166 country code of the list: GR and GB, not EL and UK. */
  jurisdiction: string;
  qtspName: string;
  serviceName: string;
  periods: StatusPeriod[];
}

export interface ListedAnchor extends TrustAnchor {
  listSequenceNumber: number;
  listIssuedAt: string;
  /** ISO 8601: the list is stale after this time; null for a closed list. */
  listNextUpdate: string | null;
  /** The same of the list of lists, which names the list; added when it is read. Null: none is loaded. Absent: it is none of a published list. */
  listOfListsNextUpdate?: string | null;
}

export interface TrustList {
  source: string;
  jurisdiction: string;
  sequenceNumber: number;
  issuedAt: string;
  nextUpdate: string | null;
  services: number;
  /** What cannot be used of it, one sentence each, of many the first; absent: nothing. */
  skipped?: readonly string[];
  /** What is odd about it, though it is used, one sentence each; absent: nothing. */
  remarks?: readonly string[];
  /** The number of the issue before, where it is higher: this one was issued later. */
  fellFrom?: number;
  anchors: TrustAnchor[];
}

/** Describes a loaded list without its anchors. What changed is counted in anchor names, which are CAs. */
export interface TrustListManifest extends Omit<TrustList, "anchors">, ChangeRecord {
  fetchedAt: string;
  anchors: number;
  /** How many of them are granted now. */
  granted: number;
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

export interface AnchorReader {
  get(keys: string[], type: "json"): Promise<Map<string, unknown>>;
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

export interface KnownAnchor {
  readonly listed: ListedAnchor;
  readonly certificate: Certificate;
}

/** Imported changes take effect within this time. KV's own cache allows no shorter one. */
const ANCHORS_LIFETIME_SECONDS = 30;
/** With names and extensions. Over the 1,013 certificates of seven lists: 6.8 on average, 10.2 at most. */
const HEAP_BYTES_PER_DER_BYTE = 16;

const knownAnchors = memoryOf<readonly KnownAnchor[]>("anchors", (anchors) =>
  anchors.reduce(
    (bytes, { listed, certificate }) => bytes + heapBytes(listed) + HEAP_BYTES_PER_DER_BYTE * certificate.der.length,
    heapBytes([]),
  ),
);

/** The anchors with one of these subject names (`nameKey`), and the list of lists' end: at most one round trip. Throws StoreError. */
export async function findAnchors(
  kv: AnchorReader,
  subjectNameKeys: readonly string[],
  now: Instant,
): Promise<KnownAnchor[]> {
  const keys = [...new Set(subjectNameKeys)].map(anchorsKey);
  const known = new Map(keys.map((key) => [key, knownAnchors.get(key, now)]));
  const missing = keys.filter((key) => known.get(key) === undefined);
  const read =
    missing.length > 0
      ? await callStore("KV", () => kv.get([...missing, LIST_OF_LISTS_MANIFEST], "json"))
      : new Map<string, unknown>();
  const end = (read.get(LIST_OF_LISTS_MANIFEST) as TrustListManifest | null | undefined)?.nextUpdate ?? null;
  for (const key of missing) {
    const listed = (read.get(key) ?? []) as ListedAnchor[];
    const anchors = listed.map((each) => readAnchor(withEnd(each, end)));
    knownAnchors.set(key, anchors, now + ANCHORS_LIFETIME_SECONDS * 1000, now);
    known.set(key, anchors);
  }
  return [...known.values()].flatMap((anchors) => anchors ?? []);
}

const withEnd = (listed: ListedAnchor, listOfListsNextUpdate: string | null): ListedAnchor =>
  listed.source === TRUSTED_LIST_SOURCE ? { ...listed, listOfListsNextUpdate } : listed;

/** With its certificate parsed. Does not handle unreadable certificates: trust-import.ts stores only those that it could parse. */
export function readAnchor(listed: ListedAnchor): KnownAnchor {
  const der = fromBase64(listed.certificate);
  if (!der) throw new TypeError(`trust anchor ${listed.source} ${listed.serviceName}: not base64`);
  return { listed, certificate: parseCertificate(der) };
}

export interface LoadedIssue {
  readonly sequenceNumber: number;
  /** ISO 8601; absent where it is not known. */
  readonly issuedAt?: string | undefined;
}

/** A lower number is a replay, unless it is issued later. The same number must not be issued earlier. */
export function isOlder({ sequenceNumber, issuedAt }: LoadedIssue, loaded: LoadedIssue): boolean {
  if (sequenceNumber > loaded.sequenceNumber) return false;
  const known = issuedAt !== undefined && loaded.issuedAt !== undefined;
  const later = known ? Date.parse(issuedAt) - Date.parse(loaded.issuedAt) : 0;
  return later < 0 || (later === 0 && sequenceNumber < loaded.sequenceNumber);
}

export const findLater = (issue: LoadedIssue, other: LoadedIssue | undefined): LoadedIssue =>
  other && !isOlder(other, issue) ? other : issue;

/** `evidence.anchor.source` of anchors from published trusted lists. */
export const TRUSTED_LIST_SOURCE = "eIDAS";

/** The territory of the list of lists. */
export const LIST_OF_LISTS = "EU";
const LIST_OF_LISTS_MANIFEST = trustListKey(TRUSTED_LIST_SOURCE, LIST_OF_LISTS);

/** TS 119 612 section 5.3.15: a list is replaced within six months. */
export const LONGEST_ISSUE_MS = 184 * 86_400_000;

/**
 * Up to when the lists count that a list of lists names: past its nextUpdate for as long as one
 * issue may last. By then no list is in its period that was issued while it was (against TS 119 615 PRO-4.1.4-13: at once).
 */
export const countsUntil = (listOfListsNextUpdate: string): Instant =>
  Date.parse(listOfListsNextUpdate) + LONGEST_ISSUE_MS;

/** A published list without nextUpdate is closed (TS 119 612 section 5.3.15); one of the operator's own merely does not state it. */
export const isClosed = ({ source, nextUpdate }: { readonly source: string; readonly nextUpdate: string | null }) =>
  nextUpdate === null && source === TRUSTED_LIST_SOURCE;

/**
 * Past its nextUpdate, or closed though it grants something: the last issue has to end each service (section 5.3.15).
 */
export const isStale = (
  list: { readonly source: string; readonly nextUpdate: string | null; readonly granted: number },
  now: Instant,
): boolean => (list.nextUpdate === null ? isClosed(list) && list.granted > 0 : Date.parse(list.nextUpdate) < now);

export interface Qualification {
  /** The last segment of each URI: "NotQualified", "QCForWSA". A URI from another vocabulary is kept in full. */
  qualifiers: string[];
  criteria: Criterion;
  /** Whether the extension that contains it is critical. If absent, an unknown qualification may be ignored. */
  critical?: true;
}

/** A criteria list (section 5.5.9.2.2) or one criterion, all of whose identifiers must be present. */
export type Criterion =
  | { all: Criterion[] }
  | { atLeastOne: Criterion[] }
  | { none: Criterion[] }
  /** Bits that must be set, and bits that must be clear: bit n of RFC 5280 section 4.2.1.3 is `1 << n`. */
  | { keyUsage: { set: number; clear: number } }
  | { policies: string[] }
  | { purposes: string[] }
  /** Attribute types that the subject must have, with any value. */
  | { subject: string[] }
  /** The name of a criterion that is not supported. */
  | { unknown: string };
