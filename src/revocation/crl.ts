/** Parses a certificate revocation list (RFC 5280 section 5.1). Structure only; crl-check.ts evaluates it. */
import { type AlgorithmIdentifier, type Extension, readAlgorithm, readExtensionList } from "../x509/certificate.ts";
import { children, context, type Der, DerError, expect, readDer, Tag } from "../x509/der.ts";
import { readBitString, readSmallInteger, readTime } from "../x509/der-values.ts";
import { type Name, readName } from "../x509/name.ts";
import { type CrlScan, scanEntries } from "./crl-entries.ts";

export interface Crl {
  readonly version: 1 | 2;
  readonly issuer: Name;
  readonly thisUpdate: number;
  /** Milliseconds since 1970, or null when the issuer does not announce a next CRL. */
  readonly nextUpdate: number | null;
  /** The contents of revokedCertificates, as input to `findEntry`. */
  readonly entries: Uint8Array;
  readonly scan: CrlScan;
  readonly extensions: readonly Extension[];
  /** DER of the signed TBSCertList. */
  readonly tbs: Uint8Array;
  readonly tbsSignatureAlgorithm: AlgorithmIdentifier;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
}

/** Larger CRLs are neither fetched nor parsed. The largest ones that QTSPs publish have a few megabytes. */
export const MAX_CRL_BYTES = 10 * 1024 * 1024;

/** Validates all entries. The arrays in the result are views of `der`. Throws only {@link DerError}. */
export function parseCrl(der: Uint8Array): Crl {
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
  const extensions = readExtensionList(list, "crlExtensions");
  if (more.length > 0 || extensions.length === 0) throw new DerError("crlExtensions: malformed");
  if (new Set(extensions.map(({ oid }) => oid)).size < extensions.length)
    throw new DerError("crlExtensions: one of them occurs twice");
  return extensions;
}

const isTime = (der: Der | undefined): boolean => der?.tag === Tag.utcTime || der?.tag === Tag.generalizedTime;
