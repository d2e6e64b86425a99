/** Parses an X.509 certificate (RFC 5280 section 4.1) into typed data. It reads structure only and trusts nothing. */

import { toHex } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { hashBytes } from "../platform/node-crypto.ts";
import { children, context, type Der, DerError, expect, expectWhole, readDer, Tag } from "./der.ts";
import { readBitString, readBoolean, readInteger, readOid, readSmallInteger, readTime } from "./der-values.ts";
import { type Name, readName } from "./name.ts";

/** The only error thrown for an untrusted certificate. `message` says what is wrong and in which field. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";
}

export interface AlgorithmIdentifier {
  readonly oid: string;
  readonly parameters: Der | null;
  readonly der: Uint8Array;
}

export interface PublicKey {
  readonly algorithm: AlgorithmIdentifier;
  readonly bits: Uint8Array;
  readonly spki: Uint8Array;
}

export interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Uint8Array;
}

export interface Certificate {
  readonly der: Uint8Array;
  readonly fingerprint: string;
  readonly version: number;
  /** The contents of the INTEGER in lower-case hex, including a leading sign byte if one is encoded. */
  readonly serialNumber: string;
  readonly issuer: Name;
  readonly subject: Name;
  /** Both ends are inclusive (RFC 5280 section 4.1.2.5). */
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  readonly publicKey: PublicKey;
  /** In encoded order, duplicates included. Path validation refuses duplicates (extensions.ts). */
  readonly extensions: readonly Extension[];
  /** DER of the signed TBSCertificate. The two algorithm fields are the one inside it and the one next to it. */
  readonly tbs: Uint8Array;
  readonly tbsSignatureAlgorithm: AlgorithmIdentifier;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
}

export function parseCertificate(der: Uint8Array): Certificate {
  try {
    return readCertificate(der);
  } catch (error) {
    if (error instanceof DerError) throw new CertificateError(error.message);
    throw error;
  }
}

function readCertificate(der: Uint8Array): Certificate {
  const [tbsDer, algorithmDer, signatureDer, ...more] = children(
    expect(readDer(der, "certificate"), Tag.sequence, "certificate"),
    "certificate",
  );
  if (more.length > 0) throw new DerError("certificate: more than three parts");
  const tbs = expect(tbsDer, Tag.sequence, "tbsCertificate");
  const fields = children(tbs, "tbsCertificate");
  const version = fields[0]?.tag === context(0) ? readVersion(fields.shift()) : 1;
  const [serial, algorithm, issuer, validity, subject, spki, ...optional] = fields;
  const [notBefore, notAfter, ...moreTimes] = children(expect(validity, Tag.sequence, "validity"), "validity");
  if (moreTimes.length > 0) throw new DerError("validity: more than two times");
  return {
    der,
    fingerprint: hashBytes("sha256", der),
    version,
    serialNumber: toHex(readInteger(serial, "serialNumber")),
    issuer: readName(issuer, "issuer"),
    subject: readName(subject, "subject"),
    notBefore: readTime(notBefore, "notBefore"),
    notAfter: readTime(notAfter, "notAfter"),
    publicKey: readPublicKey(spki),
    extensions: readExtensions(optional, version),
    tbs: tbs.raw,
    tbsSignatureAlgorithm: readAlgorithm(algorithm, "signature"),
    signatureAlgorithm: readAlgorithm(algorithmDer, "signatureAlgorithm"),
    // Unused bits are accepted here: the signatures of three signers of the Italian trusted list declare one.
    signature: readBitString(signatureDer, "signatureValue").bytes,
  };
}

function readVersion(der: Der | undefined): number {
  const [value, ...more] = children(expect(der, context(0), "version"), "version");
  const version = readSmallInteger(value, "version") + 1;
  if (more.length > 0 || version > 3) throw new DerError(`version: ${version}`);
  return version;
}

export function readAlgorithm(der: Der | undefined, what: string): AlgorithmIdentifier {
  const sequence = expect(der, Tag.sequence, what);
  const [oid, parameters, ...more] = children(sequence, what);
  if (more.length > 0) throw new DerError(`${what}: more than two parts`);
  return { oid: readOid(oid, what), parameters: parameters ? expectWhole(parameters, what) : null, der: sequence.raw };
}

function readPublicKey(der: Der | undefined): PublicKey {
  const sequence = expect(der, Tag.sequence, "subjectPublicKeyInfo");
  const [algorithm, bits, ...more] = children(sequence, "subjectPublicKeyInfo");
  if (more.length > 0) throw new DerError("subjectPublicKeyInfo: more than two parts");
  const { bytes, unusedBits } = readBitString(bits, "subjectPublicKey");
  // they would allow a second encoding of the same key
  if (unusedBits > 0) throw new DerError("subjectPublicKey: not whole bytes");
  return {
    algorithm: readAlgorithm(algorithm, "subjectPublicKeyInfo.algorithm"),
    bits: bytes,
    spki: sequence.raw,
  };
}

function readExtensions(optional: readonly Der[], version: number): Extension[] {
  const rest = [...optional];
  // issuerUniqueID [1] and subjectUniqueID [2] are obsolete and not used in path validation (RFC 5280 section 4.1.2.8)
  for (const n of [1, 2]) if (rest[0]?.tag === context(n, false)) rest.shift();
  const [wrapper, ...more] = rest;
  if (!wrapper) return [];
  const [sequence, ...beside] = children(expect(wrapper, context(3), "extensions"), "extensions");
  if (more.length > 0 || beside.length > 0) throw new DerError("extensions: data after them");
  if (version !== 3) throw new DerError(`extensions: in a version ${version} certificate`);
  const extensions = readExtensionList(sequence, "extensions");
  if (extensions.length === 0) throw new DerError("extensions: empty");
  return extensions;
}

/** Reads a SEQUENCE OF Extension, as found in certificates, CRLs and OCSP responses. Throws {@link DerError}. */
function readExtensionList(der: Der | undefined, what: string): Extension[] {
  return children(expect(der, Tag.sequence, what), what).map((extension) => {
    const [oid, ...rest] = children(expect(extension, Tag.sequence, what), what);
    const critical = rest[0]?.tag === Tag.boolean ? readBoolean(rest.shift(), what) : false;
    const [value, ...more] = rest;
    if (more.length > 0) throw new DerError(`${what}: malformed extension`);
    return { oid: readOid(oid, what), critical, value: expect(value, Tag.octetString, what).content };
  });
}

/** As {@link readExtensionList}, but refuses two with one OID. */
export function readDistinctExtensions(der: Der | undefined, what: string): Extension[] {
  const extensions = readExtensionList(der, what);
  if (new Set(extensions.map(({ oid }) => oid)).size < extensions.length)
    throw new DerError(`${what}: one of them occurs twice`);
  return extensions;
}

/** Returns the first extension with this OID, or null. Path validation refuses duplicates (extensions.ts). */
export const findExtension = (
  certificate: { readonly extensions: readonly Extension[] },
  oid: string,
): Extension | null => certificate.extensions.find((extension) => extension.oid === oid) ?? null;
