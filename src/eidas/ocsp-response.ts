/** An OCSP answer (RFC 6960 section 4.2) as typed data: structure only; ocsp.ts judges it. */
import {
  type AlgorithmIdentifier,
  type Extension,
  type Name,
  readAlgorithm,
  readExtensionList,
  readName,
} from "./certificate.ts";
import { readCrlReason } from "./crl-entries.ts";
import {
  children,
  context,
  type Der,
  DerError,
  expect,
  readBitString,
  readDer,
  readInteger,
  readOid,
  readSmallInteger,
  readTime,
  Tag,
} from "./der.ts";
import type { UpdateSpan } from "./freshness.ts";

const BASIC_RESPONSE = "1.3.6.1.5.5.7.48.1.1";

/** Larger answers are neither fetched nor read: a usual one with a responder's certificate has 2 to 4 KiB. */
export const MAX_OCSP_BYTES = 64 * 1024;

/** OCSPResponseStatus; 4 is not used. */
const RESPONSE_STATUS: readonly (string | null)[] = [
  "successful",
  "malformedRequest",
  "internalError",
  "tryLater",
  null,
  "sigRequired",
  "unauthorized",
];

export interface CertificateId {
  /** OID of the digest. */
  readonly algorithm: string;
  readonly issuerNameHash: Uint8Array;
  readonly issuerKeyHash: Uint8Array;
  readonly serialNumber: Uint8Array;
}

export type OcspStatus =
  | { readonly status: "good" | "unknown" }
  | { readonly status: "revoked"; readonly revokedAt: number; readonly reason: string | null };

export interface SingleResponse extends UpdateSpan {
  readonly id: CertificateId;
  readonly certificateStatus: OcspStatus;
  readonly extensions: readonly Extension[];
}

export interface BasicOcspResponse {
  readonly responder: { readonly name: Name } | { readonly keyHash: Uint8Array };
  /** Milliseconds since 1970. */
  readonly producedAt: number;
  readonly responses: readonly SingleResponse[];
  readonly extensions: readonly Extension[];
  /** The signed bytes. */
  readonly tbs: Uint8Array;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  /** DER of each certificate sent along, unread. */
  readonly certificates: readonly Uint8Array[];
}

export type OcspResponse =
  | { readonly status: "successful"; readonly basic: BasicOcspResponse }
  /** Name of the OCSPResponseStatus: the responder gives no answer, and signs nothing. */
  | { readonly status: "refused"; readonly responseStatus: string };

/** Reads an OCSPResponse. Throws {@link DerError} only. */
export function parseOcspResponse(der: Uint8Array): OcspResponse {
  if (der.length > MAX_OCSP_BYTES) throw new DerError(`OCSPResponse: of ${der.length} bytes`);
  const [status, bytes, ...more] = children(
    expect(readDer(der, "OCSPResponse"), Tag.sequence, "OCSPResponse"),
    "OCSPResponse",
  );
  const [code, ...rest] = expect(status, Tag.enumerated, "responseStatus").content;
  const responseStatus = code === undefined || rest.length > 0 ? null : RESPONSE_STATUS[code];
  if (!responseStatus || more.length > 0) throw new DerError("responseStatus: no such status");
  if (responseStatus !== "successful") return { status: "refused", responseStatus };
  const wrapper = only(children(expect(bytes, context(0), "responseBytes"), "responseBytes"), "responseBytes");
  const [type, response, ...extra] = children(expect(wrapper, Tag.sequence, "responseBytes"), "responseBytes");
  if (extra.length > 0 || readOid(type, "responseType") !== BASIC_RESPONSE)
    throw new DerError("responseType: not a basic response");
  return { status: "successful", basic: readBasic(expect(response, Tag.octetString, "response").content) };
}

function readBasic(der: Uint8Array): BasicOcspResponse {
  const what = "BasicOCSPResponse";
  const [tbs, algorithm, signature, certs, ...more] = children(expect(readDer(der, what), Tag.sequence, what), what);
  if (more.length > 0) throw new DerError(`${what}: more than four parts`);
  const fields = children(expect(tbs, Tag.sequence, "tbsResponseData"), "tbsResponseData");
  // v1 is the default, and the only one; some responders write it out
  const version = fields[0]?.tag === context(0) ? only(children(takeFirst(fields), "version"), "version") : null;
  if (version && readSmallInteger(version, "version") !== 0) throw new DerError("version: not 1");
  const [responder, producedAt, responses, extensions, ...after] = fields;
  if (after.length > 0) throw new DerError("tbsResponseData: something after its extensions");
  return {
    responder: readResponder(responder),
    producedAt: readGeneralizedTime(producedAt, "producedAt"),
    responses: children(expect(responses, Tag.sequence, "responses"), "responses").map(readSingle),
    extensions: extensions ? readExtensions(extensions, context(1), "responseExtensions") : [],
    tbs: expect(tbs, Tag.sequence, what).raw,
    signatureAlgorithm: readAlgorithm(algorithm, "signatureAlgorithm"),
    signature: readBitString(signature, "signature").bytes,
    certificates: certs ? readCertificates(certs) : [],
  };
}

function readResponder(der: Der | undefined): BasicOcspResponse["responder"] {
  const what = "responderID";
  if (der?.tag === context(1)) return { name: readName(only(children(der, what), what), what) };
  const hash = only(children(expect(der, context(2), what), what), what);
  return { keyHash: expect(hash, Tag.octetString, what).content };
}

function readSingle(der: Der): SingleResponse {
  const what = "SingleResponse";
  const fields = children(expect(der, Tag.sequence, what), what);
  const [id, status, thisUpdate, ...optional] = fields;
  const next = optional[0]?.tag === context(0) ? only(children(takeFirst(optional), "nextUpdate"), "nextUpdate") : null;
  const extensions =
    optional[0]?.tag === context(1) ? readExtensions(takeFirst(optional), context(1), "singleExtensions") : [];
  if (optional.length > 0) throw new DerError(`${what}: something after its extensions`);
  return {
    id: readCertificateId(id),
    certificateStatus: readStatus(status),
    thisUpdate: readGeneralizedTime(thisUpdate, "thisUpdate"),
    nextUpdate: next && readGeneralizedTime(next, "nextUpdate"),
    extensions,
  };
}

function readCertificateId(der: Der | undefined): CertificateId {
  const what = "certID";
  const [algorithm, name, key, serialNumber, ...more] = children(expect(der, Tag.sequence, what), what);
  if (more.length > 0) throw new DerError(`${what}: more than four parts`);
  return {
    algorithm: readAlgorithm(algorithm, `${what}.hashAlgorithm`).oid,
    issuerNameHash: expect(name, Tag.octetString, `${what}.issuerNameHash`).content,
    issuerKeyHash: expect(key, Tag.octetString, `${what}.issuerKeyHash`).content,
    serialNumber: readInteger(serialNumber, `${what}.serialNumber`),
  };
}

function readStatus(der: Der | undefined): OcspStatus {
  const what = "certStatus";
  if (der?.tag === context(0, false) && der.content.length === 0) return { status: "good" };
  if (der?.tag === context(2, false) && der.content.length === 0) return { status: "unknown" };
  const [time, reason, ...more] = children(expect(der, context(1), what), what);
  if (more.length > 0) throw new DerError(`${what}: something after the reason`);
  const code = reason && only(children(expect(reason, context(0), what), what), what);
  return {
    status: "revoked",
    revokedAt: readGeneralizedTime(time, "revocationTime"),
    reason: code ? readCrlReason(code) : null,
  };
}

function readCertificates(der: Der): Uint8Array[] {
  const list = only(children(expect(der, context(0), "certs"), "certs"), "certs");
  return children(expect(list, Tag.sequence, "certs"), "certs").map(({ raw }) => raw);
}

function readExtensions(der: Der, tag: number, what: string): Extension[] {
  const extensions = readExtensionList(only(children(expect(der, tag, what), what), what), what);
  if (new Set(extensions.map(({ oid }) => oid)).size < extensions.length)
    throw new DerError(`${what}: one of them twice`);
  return extensions;
}

const readGeneralizedTime = (der: Der | undefined, what: string): number =>
  readTime(expect(der, Tag.generalizedTime, what), what);

function only(values: readonly Der[], what: string): Der {
  const [value, ...more] = values;
  if (!value || more.length > 0) throw new DerError(`${what}: not exactly one value`);
  return value;
}

function takeFirst(values: Der[]): Der {
  const value = values.shift();
  if (!value) throw new DerError("missing value");
  return value;
}
