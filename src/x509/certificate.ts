/**
 * An X.509 certificate (RFC 5280 section 4.1) as typed data: structure only, no judgement.
 * What it says of a PSP is read in psd2.ts; whether it may be believed is decided in path.ts and validity.ts.
 */
import { createHash } from "node:crypto";
import { toHex } from "../encoding.ts";
import { children, context, type Der, DerError, expect, readDer, Tag } from "./der.ts";
import { readBitString, readBoolean, readInteger, readOid, readSmallInteger, readTime } from "./der-values.ts";
import { type Name, readName } from "./name.ts";

/** The only error that reading an untrusted certificate throws; `message` says what is wrong and where. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";
}

export interface AlgorithmIdentifier {
  readonly oid: string;
  /** Encoded parameters, or null when absent. */
  readonly parameters: Der | null;
  readonly der: Uint8Array;
}

export interface PublicKey {
  readonly algorithm: AlgorithmIdentifier;
  /** The key bits, as the algorithm encodes them. */
  readonly bits: Uint8Array;
  /** The whole SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
}

export interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  /** The contents of extnValue. */
  readonly value: Uint8Array;
}

export interface Certificate {
  readonly der: Uint8Array;
  /** SHA-256 of the DER, lower-case hex. */
  readonly fingerprint: string;
  /** 1, 2 or 3. */
  readonly version: number;
  /** INTEGER contents, lower-case hex, sign byte included as encoded. */
  readonly serialNumber: string;
  readonly issuer: Name;
  readonly subject: Name;
  /** Milliseconds since 1970; both ends inclusive (RFC 5280 section 4.1.2.5). */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly publicKey: PublicKey;
  /** In order, duplicates kept: path.ts refuses them. */
  readonly extensions: readonly Extension[];
  /** The signed bytes, the algorithm inside and outside of them, and the signature. */
  readonly tbs: Uint8Array;
  readonly tbsSignatureAlgorithm: AlgorithmIdentifier;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
}

/** Reads one DER certificate that fills `der`. Throws {@link CertificateError} and nothing else. */
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
    fingerprint: toHex(createHash("sha256").update(der).digest()),
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
    // not held to whole bytes: three signers of Italy's trusted list have signatures that claim an unused bit
    signature: readBitString(signatureDer, "signatureValue").bytes,
  };
}

/** The BIT STRING of a key. One with unused bits would be a second encoding of the same. */
function readWholeBytes(der: Der | undefined, what: string): Uint8Array {
  const { bytes, unusedBits } = readBitString(der, what);
  if (unusedBits > 0) throw new DerError(`${what}: not whole bytes`);
  return bytes;
}

function readVersion(der: Der | undefined): number {
  const [value, ...more] = children(expect(der, context(0), "version"), "version");
  const version = readSmallInteger(value, "version") + 1;
  if (more.length > 0 || version > 3) throw new DerError(`version: ${version}`);
  return version;
}

/** An AlgorithmIdentifier. Throws {@link DerError}. */
export function readAlgorithm(der: Der | undefined, what: string): AlgorithmIdentifier {
  const sequence = expect(der, Tag.sequence, what);
  const [oid, parameters, ...more] = children(sequence, what);
  if (more.length > 0) throw new DerError(`${what}: more than two parts`);
  return { oid: readOid(oid, what), parameters: parameters ?? null, der: sequence.raw };
}

function readPublicKey(der: Der | undefined): PublicKey {
  const sequence = expect(der, Tag.sequence, "subjectPublicKeyInfo");
  const [algorithm, bits, ...more] = children(sequence, "subjectPublicKeyInfo");
  if (more.length > 0) throw new DerError("subjectPublicKeyInfo: more than two parts");
  return {
    algorithm: readAlgorithm(algorithm, "subjectPublicKeyInfo.algorithm"),
    bits: readWholeBytes(bits, "subjectPublicKey"),
    spki: sequence.raw,
  };
}

function readExtensions(optional: readonly Der[], version: number): Extension[] {
  const rest = [...optional];
  // issuerUniqueID [1] and subjectUniqueID [2]: obsolete, without meaning for a path (RFC 5280 section 4.1.2.8)
  for (const n of [1, 2]) if (rest[0]?.tag === context(n, false)) rest.shift();
  const [wrapper, ...more] = rest;
  if (!wrapper) return [];
  const [sequence, ...beside] = children(expect(wrapper, context(3), "extensions"), "extensions");
  if (more.length > 0 || beside.length > 0) throw new DerError("extensions: something after them");
  if (version !== 3) throw new DerError(`extensions: in a version ${version} certificate`);
  const extensions = readExtensionList(sequence, "extensions");
  if (extensions.length === 0) throw new DerError("extensions: empty");
  return extensions;
}

/** A SEQUENCE OF Extension, as in certificates, CRLs and OCSP answers. Throws {@link DerError}. */
export function readExtensionList(der: Der | undefined, what: string): Extension[] {
  return children(expect(der, Tag.sequence, what), what).map((extension) => {
    const [oid, ...rest] = children(expect(extension, Tag.sequence, what), what);
    const critical = rest[0]?.tag === Tag.boolean ? readBoolean(rest.shift(), what) : false;
    const [value, ...more] = rest;
    if (more.length > 0) throw new DerError(`${what}: malformed extension`);
    return { oid: readOid(oid, what), critical, value: expect(value, Tag.octetString, what).content };
  });
}

/** The extension's contents, or null. The first one counts: duplicates are refused by path.ts. */
export const findExtension = (
  certificate: { readonly extensions: readonly Extension[] },
  oid: string,
): Extension | null => certificate.extensions.find((extension) => extension.oid === oid) ?? null;
