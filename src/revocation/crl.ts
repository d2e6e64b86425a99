/** Parses a certificate revocation list (RFC 5280 section 5.1). Structure only; crl-check.ts evaluates it. */
import type { Instant } from "../platform/instant.ts";
import {
  type AlgorithmIdentifier,
  type Extension,
  readAlgorithm,
  readDistinctExtensions,
} from "../x509/certificate.ts";
import { children, context, type Der, DerError, expect, readDer, readDerAt, Tag } from "../x509/der.ts";
import { readBitString, readSmallInteger, readTime } from "../x509/der-values.ts";
import { type Name, readName } from "../x509/name.ts";

export interface Crl {
  readonly version: 1 | 2;
  readonly issuer: Name;
  readonly thisUpdate: Instant;
  readonly nextUpdate: Instant | null;
  readonly entries: Uint8Array;
  readonly scan: CrlScan;
  readonly extensions: readonly Extension[];
  readonly tbs: Uint8Array;
  readonly tbsSignatureAlgorithm: AlgorithmIdentifier;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
}

/** Larger CRLs are neither fetched nor parsed. The largest ones that QTSPs publish have a few megabytes. */
export const MAX_CRL_BYTES = 10 * 1024 * 1024;

/** Once for each byte array. Validates all entries. The arrays in the result are views of `der`. Throws only {@link DerError}. */
export function parseCrl(der: Uint8Array): Crl {
  const crl = parsed.get(der) ?? readCrl(der);
  parsed.set(der, crl);
  return crl;
}

const parsed = new WeakMap<Uint8Array, Crl>();

function readCrl(der: Uint8Array): Crl {
  if (der.length > MAX_CRL_BYTES) throw new DerError(`CRL: of ${der.length} bytes`);
  const [tbs, algorithm, signature, ...more] = children(expect(readDer(der, "CRL"), Tag.sequence, "CRL"), "CRL");
  if (more.length > 0) throw new DerError("CRL: more than three parts");
  const fields = children(expect(tbs, Tag.sequence, "tbsCertList"), "tbsCertList");
  const version = fields[0]?.tag === Tag.integer ? readVersion(fields.shift()) : 1;
  const [tbsAlgorithm, issuer, thisUpdate, ...optional] = fields;
  const nextUpdate = isTime(optional[0]) ? readTime(optional.shift(), "nextUpdate") : null;
  const entries = optional[0]?.tag === Tag.sequence ? optional.shift() : undefined;
  // RFC 5280 section 5.1.2.6: when no certificate is revoked, the list must be absent
  if (entries?.content.length === 0) throw new DerError("revokedCertificates: empty");
  const extensions = optional[0]?.tag === context(0) ? readExtensions(optional.shift(), version) : [];
  if (optional.length > 0) throw new DerError("tbsCertList: data after its extensions");
  return {
    version,
    issuer: readName(issuer, "issuer"),
    thisUpdate: readTime(thisUpdate, "thisUpdate"),
    nextUpdate,
    entries: entries?.content ?? new Uint8Array(0),
    scan: scanEntries(entries?.content ?? new Uint8Array(0), version === 2),
    extensions,
    tbs: expect(tbs, Tag.sequence, "tbsCertList").raw,
    tbsSignatureAlgorithm: readAlgorithm(tbsAlgorithm, "signature"),
    signatureAlgorithm: readAlgorithm(algorithm, "signatureAlgorithm"),
    signature: readBitString(signature, "signatureValue").bytes,
  };
}

function readVersion(der: Der | undefined): 2 {
  // RFC 5280 section 5.1.2.1: if present, the version is 2, encoded as 1
  if (readSmallInteger(der, "version") !== 1) throw new DerError("version: not 2");
  return 2;
}

function readExtensions(der: Der | undefined, version: number): Extension[] {
  const [list, ...more] = children(expect(der, context(0), "crlExtensions"), "crlExtensions");
  if (version === 1) throw new DerError("crlExtensions: in a version 1 CRL");
  const extensions = readDistinctExtensions(list, "crlExtensions");
  if (more.length > 0 || extensions.length === 0) throw new DerError("crlExtensions: malformed");
  return extensions;
}

const isTime = (der: Der | undefined): boolean => der?.tag === Tag.utcTime || der?.tag === Tag.generalizedTime;

const REASON_CODE = "2.5.29.21";
const HOLD_INSTRUCTION = "2.5.29.23";
const INVALIDITY_DATE = "2.5.29.24";
const CERTIFICATE_ISSUER = "2.5.29.29";

const REASONS: readonly (string | null)[] = [
  "unspecified",
  "keyCompromise",
  "cACompromise",
  "affiliationChanged",
  "superseded",
  "cessationOfOperation",
  "certificateHold",
  null,
  "removeFromCRL",
  "privilegeWithdrawn",
  "aACompromise",
];

export interface CrlEntry {
  readonly revokedAt: Instant | null;
  readonly reason: string | null;
}

interface CrlScan {
  readonly count: number;
  /** True when an entry names an issuer other than the CRL's: the CRL is indirect. */
  readonly namesOtherIssuer: boolean;
  /** The first unknown critical entry extension. It makes the whole CRL unusable (RFC 5280 section 5.3). */
  readonly unknownCritical: string | null;
}

const WHAT = "revokedCertificates";
/** Entry extensions repeat (there are only ten reasons), so each distinct encoding is parsed once, up to this many. */
const MAX_KNOWN_ENCODINGS = 32;

/** Scans and strictly validates all entries. `withExtensions` is true for a version 2 CRL. Throws {@link DerError}. */
function scanEntries(entries: Uint8Array, withExtensions: boolean): CrlScan {
  let count = 0;
  let namesOtherIssuer = false;
  let unknownCritical: string | null = null;
  const known: Uint8Array[] = [];
  for (let offset = 0; offset < entries.length; count++) {
    const bounds = entryBounds(entries, offset);
    offset = bounds.end;
    if (bounds.extensions === bounds.end) continue;
    if (!withExtensions) throw new DerError(`${WHAT}: entry extensions in a version 1 CRL`);
    if (known.some((seen) => liesAt(entries, bounds.extensions, bounds.end, seen))) continue;
    const encoded = entries.subarray(bounds.extensions, bounds.end);
    const extensions = readEntryExtensions(readDer(encoded, WHAT));
    if (known.length < MAX_KNOWN_ENCODINGS) known.push(encoded);
    for (const { oid, critical } of extensions) {
      if (oid === CERTIFICATE_ISSUER) namesOtherIssuer = true;
      else if (critical && oid !== REASON_CODE && oid !== INVALIDITY_DATE && oid !== HOLD_INSTRUCTION)
        unknownCritical ??= oid;
    }
  }
  return { count, namesOtherIssuer, unknownCritical };
}

/**
 * Finds a serial number, null if it is not there. Leading zeros do not count (RFC 5280 section 4.1.2.2), and nothing
 * that cannot be read hides a revocation. `entries` must have passed `scanEntries`.
 */
export function findEntry(entries: Uint8Array, serialNumber: Uint8Array): CrlEntry | null {
  const wanted = serialNumber.subarray(afterZeros(serialNumber, 0, serialNumber.length));
  for (let offset = 0; offset < entries.length; ) {
    const bounds = entryBounds(entries, offset);
    offset = bounds.end;
    if (!liesAt(entries, afterZeros(entries, bounds.serial, bounds.serialEnd), bounds.serialEnd, wanted)) continue;
    const revokedAt = orNull(() => readTime(readDerAt(entries, bounds.serialEnd, WHAT), `${WHAT}.revocationDate`));
    if (bounds.extensions === bounds.end) return { revokedAt, reason: null };
    const extensions = readEntryExtensions(readDer(entries.subarray(bounds.extensions, bounds.end), WHAT));
    return { revokedAt, reason: readReason(extensions) };
  }
  return null;
}

function afterZeros(bytes: Uint8Array, start: number, end: number): number {
  let first = start;
  while (first < end && bytes[first] === 0) first++;
  return first;
}

interface EntryBounds {
  readonly serial: number;
  readonly serialEnd: number;
  /** Offset of the entry extensions; equal to `end` when there are none. */
  readonly extensions: number;
  readonly end: number;
}

/** Reads SEQUENCE { INTEGER, Time, Extensions OPTIONAL } at `offset` as offsets into `bytes`. */
function entryBounds(bytes: Uint8Array, offset: number): EntryBounds {
  const entry = valueBounds(bytes, offset, bytes.length);
  const serial = valueBounds(bytes, entry.start, entry.end);
  const date = valueBounds(bytes, serial.end, entry.end);
  const dateTag = bytes[serial.end];
  if (bytes[offset] !== Tag.sequence || bytes[entry.start] !== Tag.integer || serial.start === serial.end)
    throw new DerError(`${WHAT}: malformed entry`);
  if (dateTag !== Tag.utcTime && dateTag !== Tag.generalizedTime) throw new DerError(`${WHAT}: entry without a date`);
  if (date.end < entry.end && valueBounds(bytes, date.end, entry.end).end !== entry.end)
    throw new DerError(`${WHAT}: data after an entry's extensions`);
  return { serial: serial.start, serialEnd: serial.end, extensions: date.end, end: entry.end };
}

function valueBounds(bytes: Uint8Array, offset: number, limit: number): { start: number; end: number } {
  const length = bytes[offset + 1];
  if (length === undefined || offset + 2 > limit) throw new DerError(`${WHAT}: truncated`);
  let start = offset + 2;
  let end = start + length;
  if (length >= 0x80) {
    const der = readDerAt(bytes, offset, WHAT);
    end = offset + der.raw.length;
    start = end - der.content.length;
  }
  if (end > limit) throw new DerError(`${WHAT}: truncated`);
  return { start, end };
}

/** Whether `bytes` from `start` to `end` equals `wanted`. A loop, because it runs for every entry. */
function liesAt(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false;
  return true;
}

function readEntryExtensions(der: Der): Extension[] {
  const extensions = readDistinctExtensions(der, "crlEntryExtensions");
  if (extensions.length === 0) throw new DerError("crlEntryExtensions: empty");
  return extensions;
}

function readReason(extensions: readonly Extension[]): string | null {
  const extension = extensions.find(({ oid }) => oid === REASON_CODE);
  return extension ? orNull(() => readCrlReason(readDer(extension.value, "reasonCode"))) : null;
}

/**
 * Null for an unknown one: were the revocation refused for it (RFC 5280 section 5.3.1), an older answer would count.
 */
export function readCrlReason(der: Der): string | null {
  const [code, ...more] = der.content;
  return der.tag === Tag.enumerated && code !== undefined && more.length === 0 ? (REASONS[code] ?? null) : null;
}

/** Null for what is malformed. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}
