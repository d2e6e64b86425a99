/** Certificates, CRLs and OCSP answers made for one test each, odd ones included. P-256 unless a key is given. */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { type Certificate, parseCertificate } from "../../../src/x509/certificate.ts";
import { context, Tag } from "../../../src/x509/der.ts";
import { encodeDer, encodeOid } from "../../../src/x509/der-encode.ts";

export const at = (iso: string): number => Date.parse(iso);

export const sequence = (...parts: Uint8Array[]) => encodeDer(Tag.sequence, ...parts);
export const octets = (bytes: Uint8Array) => encodeDer(Tag.octetString, bytes);
export const enumerated = (value: number) => encodeDer(Tag.enumerated, Uint8Array.of(value));
export const integer = (hex: string) => encodeDer(Tag.integer, Buffer.from(hex, "hex"));
export const generalizedTime = (time: number) =>
  encodeDer(Tag.generalizedTime, Buffer.from(new Date(time).toISOString().replace(/[-:T]|\.\d+/g, "")));
export const name = (commonName: string) =>
  sequence(encodeDer(Tag.set, sequence(encodeOid("2.5.4.3"), encodeDer(Tag.utf8String, Buffer.from(commonName)))));
const bits = (bytes: Uint8Array) => encodeDer(Tag.bitString, Uint8Array.of(0), bytes);
const TRUE = encodeDer(Tag.boolean, Uint8Array.of(0xff));

/** How a key signs. */
export interface Scheme {
  /** DER of the AlgorithmIdentifier. */
  readonly identifier: Uint8Array;
  sign(data: Uint8Array, key: KeyObject): Uint8Array;
}

const ECDSA_SHA256: Scheme = {
  identifier: sequence(encodeOid("1.2.840.10045.4.3.2")),
  sign: (data, key) => sign("sha256", data, key),
};

export interface MadeExtension {
  oid: string;
  critical?: boolean;
  value: Uint8Array;
}

export const encodeExtensions = (extensions: readonly MadeExtension[]) =>
  sequence(
    ...extensions.map(({ oid, critical, value }) =>
      sequence(encodeOid(oid), ...(critical ? [TRUE] : []), octets(value)),
    ),
  );

/** SEQUENCE { tbs, algorithm, signature, ... } */
const signed = (
  tbs: Uint8Array,
  { key, scheme = ECDSA_SHA256 }: Pick<Holder, "key" | "scheme">,
  ...more: Uint8Array[]
) => sequence(tbs, scheme.identifier, bits(scheme.sign(tbs, key)), ...more);

export interface Holder {
  certificate: Certificate;
  key: KeyObject;
  /** How it signs; ECDSA with SHA-256 unless given. */
  scheme?: Scheme;
}

/** Issues a certificate; without `issuer` it is self-signed. Valid for 2026 unless said otherwise. */
export function makeCertificate(options: {
  /** A common name, or DER of a whole name. */
  subject: string | Uint8Array;
  issuer?: Holder;
  /** A private key of any kind: one of the caller's, or that of another certificate. */
  key?: KeyObject;
  /** How that key signs. */
  scheme?: Scheme;
  serial?: string;
  notBefore?: number;
  notAfter?: number;
  extensions?: MadeExtension[];
  /** What tbsCertificate says of the signature, where that is to differ. */
  algorithm?: Uint8Array;
  /** Changes the encoded fields of tbsCertificate before it is signed. */
  edit?: (fields: Uint8Array[]) => Uint8Array[];
}): Holder {
  const { issuer, serial = "01", extensions = [] } = options;
  const key = options.key ?? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const own = options.scheme ? { key, scheme: options.scheme } : { key };
  const signer = issuer ?? own;
  const subject = typeof options.subject === "string" ? name(options.subject) : options.subject;
  const fields = [
    encodeDer(context(0), integer("02")),
    integer(serial),
    options.algorithm ?? (signer.scheme ?? ECDSA_SHA256).identifier,
    issuer ? issuer.certificate.subject.der : subject,
    sequence(
      generalizedTime(options.notBefore ?? at("2026-01-01T00:00:00Z")),
      generalizedTime(options.notAfter ?? at("2026-12-31T00:00:00Z")),
    ),
    subject,
    createPublicKey(key).export({ type: "spki", format: "der" }),
    ...(extensions.length > 0 ? [encodeDer(context(3), encodeExtensions(extensions))] : []),
  ];
  const tbs = sequence(...(options.edit?.(fields) ?? fields));
  return { certificate: parseCertificate(signed(tbs, signer)), ...own };
}

/** A keyUsage with these bits. */
export const keyUsage = (...set: number[]): MadeExtension => {
  const byte = set.reduce((all, bit) => all | (0x80 >> bit), 0);
  let unused = 0;
  while (unused < 7 && ((byte >> unused) & 1) === 0) unused++;
  return { oid: "2.5.29.15", critical: true, value: encodeDer(Tag.bitString, Uint8Array.of(unused, byte)) };
};
export const OCSP_SIGNING: MadeExtension = { oid: "2.5.29.37", value: sequence(encodeOid("1.3.6.1.5.5.7.3.9")) };
const uri = (url: string) => encodeDer(context(6, false), Buffer.from(url));
const fullName = (url: string) => encodeDer(context(0), encodeDer(context(0), uri(url)));
export const crlAt = (...urls: string[]): MadeExtension => ({
  oid: "2.5.29.31",
  value: sequence(...urls.map((url) => sequence(fullName(url)))),
});
export const ocspAt = (...urls: string[]): MadeExtension => ({
  oid: "1.3.6.1.5.5.7.1.1",
  value: sequence(...urls.map((url) => sequence(encodeOid("1.3.6.1.5.5.7.48.1"), uri(url)))),
});
/** The fields of an issuingDistributionPoint: a URL, and set flags by their tag. */
export const issuingPoint = (url: string | null, ...flags: number[]): MadeExtension => ({
  oid: "2.5.29.28",
  critical: true,
  value: sequence(
    ...(url ? [fullName(url)] : []),
    ...flags.map((n) => encodeDer(context(n, false), Uint8Array.of(0xff))),
  ),
});

export interface MadeEntry {
  serial: string;
  revokedAt?: number;
  reason?: number;
  extensions?: MadeExtension[];
}

/** DER of a CRL of 1 to 30 June 2026 with the number 1, unless said otherwise. */
export function makeCrl(options: {
  issuer: Holder;
  signer?: KeyObject;
  version?: 1 | 2;
  thisUpdate?: number;
  nextUpdate?: number | null;
  entries?: MadeEntry[];
  /** Beside the number; one with the number's OID replaces it, and null leaves it out. */
  extensions?: MadeExtension[] | null;
  /** Changes the encoded fields of tbsCertList before it is signed. */
  edit?: (fields: Uint8Array[]) => Uint8Array[];
}): Uint8Array {
  const { issuer, version = 2, nextUpdate = at("2026-06-30T00:00:00Z"), entries = [], extensions = [] } = options;
  const number: MadeExtension[] = extensions?.some(({ oid }) => oid === "2.5.29.20")
    ? []
    : [{ oid: "2.5.29.20", value: integer("01") }];
  const all = version === 1 || extensions === null ? [] : [...number, ...extensions];
  const list = entries.map(({ serial, revokedAt = at("2026-05-01T00:00:00Z"), reason, extensions: more = [] }) => {
    const code = reason === undefined ? [] : [{ oid: "2.5.29.21", value: enumerated(reason) }];
    const both = [...code, ...more];
    return sequence(integer(serial), generalizedTime(revokedAt), ...(both.length > 0 ? [encodeExtensions(both)] : []));
  });
  const fields = [
    ...(version === 2 ? [integer("01")] : []),
    (issuer.scheme ?? ECDSA_SHA256).identifier,
    issuer.certificate.subject.der,
    generalizedTime(options.thisUpdate ?? at("2026-06-01T00:00:00Z")),
    ...(nextUpdate === null ? [] : [generalizedTime(nextUpdate)]),
    ...(list.length > 0 ? [sequence(...list)] : []),
    ...(all.length > 0 ? [encodeDer(context(0), encodeExtensions(all))] : []),
  ];
  const tbs = sequence(...(options.edit?.(fields) ?? fields));
  return signed(tbs, options.signer ? { ...issuer, key: options.signer } : issuer);
}

const NULL = encodeDer(Tag.null);
const digest = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest();
const ID_DIGESTS = { sha1: "1.3.14.3.2.26", sha256: "2.16.840.1.101.3.4.2.1" };

export interface MadeStatus {
  certificate: Certificate;
  issuer: Certificate;
  status?: "good" | "revoked" | "unknown";
  reason?: number;
  revokedAt?: number;
  thisUpdate?: number;
  nextUpdate?: number | null;
  digestName?: "sha1" | "sha256";
  extensions?: MadeExtension[];
  /** Changes the encoded fields of the SingleResponse. */
  edit?: (fields: Uint8Array[]) => Uint8Array[];
}

function encodeSingle(options: MadeStatus): Uint8Array {
  const { certificate, issuer, status = "good", reason, extensions = [], digestName = "sha1" } = options;
  const { nextUpdate = at("2026-06-30T00:00:00Z"), revokedAt = at("2026-05-01T00:00:00Z") } = options;
  const code = reason === undefined ? [] : [encodeDer(context(0), enumerated(reason))];
  const encoded = {
    good: encodeDer(context(0, false)),
    revoked: encodeDer(context(1), generalizedTime(revokedAt), ...code),
    unknown: encodeDer(context(2, false)),
  };
  const fields = [
    sequence(
      sequence(encodeOid(ID_DIGESTS[digestName]), NULL),
      octets(digest(digestName, certificate.issuer.der)),
      octets(digest(digestName, issuer.publicKey.bits)),
      integer(certificate.serialNumber),
    ),
    encoded[status],
    generalizedTime(options.thisUpdate ?? at("2026-06-01T00:00:00Z")),
    ...(nextUpdate === null ? [] : [encodeDer(context(0), generalizedTime(nextUpdate))]),
    ...(extensions.length > 0 ? [encodeDer(context(1), encodeExtensions(extensions))] : []),
  ];
  return sequence(...(options.edit?.(fields) ?? fields));
}

/** DER of an OCSPResponse of 1 June 2026 by `responder`, who is named by its key unless `byName`. */
export function makeOcspResponse(options: {
  responder: Holder;
  singles: MadeStatus[];
  byName?: boolean;
  producedAt?: number;
  certificates?: Certificate[];
  extensions?: MadeExtension[];
  /** Changes the encoded fields of the ResponseData before it is signed. */
  edit?: (fields: Uint8Array[]) => Uint8Array[];
  /** Behind the signature, and the certificates if there are any. */
  more?: Uint8Array[];
}): Uint8Array {
  const { responder, singles, byName, certificates = [], extensions = [], more = [] } = options;
  const fields = [
    byName
      ? encodeDer(context(1), responder.certificate.subject.der)
      : encodeDer(context(2), octets(digest("sha1", responder.certificate.publicKey.bits))),
    generalizedTime(options.producedAt ?? at("2026-06-01T00:00:00Z")),
    sequence(...singles.map(encodeSingle)),
    ...(extensions.length > 0 ? [encodeDer(context(1), encodeExtensions(extensions))] : []),
  ];
  const tbs = sequence(...(options.edit?.(fields) ?? fields));
  const certs = certificates.length > 0 ? [encodeDer(context(0), sequence(...certificates.map(({ der }) => der)))] : [];
  const basic = signed(tbs, responder, ...certs, ...more);
  return wrapBasic(octets(basic));
}

/** A successful OCSPResponse around this. */
export const wrapBasic = (...response: Uint8Array[]) =>
  sequence(enumerated(0), encodeDer(context(0), sequence(encodeOid("1.3.6.1.5.5.7.48.1.1"), ...response)));
