/** Parses an OCSP response (RFC 6960 section 4.2) into typed data. Structure only; ocsp.ts evaluates it. */
import type { Instant } from "../platform/instant.ts";
import {
  type AlgorithmIdentifier,
  type Extension,
  readAlgorithm,
  readDistinctExtensions,
} from "../x509/certificate.ts";
import { children, context, type Der, DerError, expect, readDer, Tag } from "../x509/der.ts";
import { readBitString, readOid, readSmallInteger, readTime } from "../x509/der-values.ts";
import { type Name, readName } from "../x509/name.ts";
import { orNull, readCrlReason } from "./crl.ts";
import { type CertificateId, readCertificateId } from "./ocsp-request.ts";
import type { Revoked, UpdateSpan } from "./verified-answer.ts";

const BASIC_RESPONSE = "1.3.6.1.5.5.7.48.1.1";

/** Larger responses are neither fetched nor parsed. A typical one with a responder's certificate has 2 to 4 KiB. */
export const MAX_OCSP_BYTES = 64 * 1024;

/** OCSPResponseStatus names by number. Number 4 is unused. */
const RESPONSE_STATUS: readonly (string | null)[] = [
  "successful",
  "malformedRequest",
  "internalError",
  "tryLater",
  null,
  "sigRequired",
  "unauthorized",
];

export interface BasicOcspResponse {
  readonly responder: { readonly name: Name } | { readonly keyHash: Uint8Array };
  readonly producedAt: Instant;
  readonly responses: readonly SingleResponse[];
  readonly extensions: readonly Extension[];
  readonly tbs: Uint8Array;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  readonly certificates: readonly Uint8Array[];
}

export type OcspResponse =
  | { readonly status: "successful"; readonly basic: BasicOcspResponse }
  | { readonly status: "refused"; readonly responseStatus: string };

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
  // v1 is the default and the only version; some responders encode it explicitly
  const version = fields[0]?.tag === context(0) ? only(children(readFirst(fields), "version"), "version") : null;
  if (version && readSmallInteger(version, "version") !== 0) throw new DerError("version: not 1");
  const [responder, producedAt, responses, extensions, ...after] = fields;
  if (after.length > 0) throw new DerError("tbsResponseData: data after its extensions");
  return {
    responder: readResponder(responder),
    producedAt: readGeneralizedTime(producedAt, "producedAt"),
    responses: children(expect(responses, Tag.sequence, "responses"), "responses").map(readSingleResponse),
    extensions: extensions ? readResponseExtensions(extensions, "responseExtensions") : [],
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

function readCertificates(der: Der): Uint8Array[] {
  const list = only(children(expect(der, context(0), "certs"), "certs"), "certs");
  return children(expect(list, Tag.sequence, "certs"), "certs").map(({ raw }) => raw);
}

type OcspStatus = { readonly status: "good" | "unknown" } | Revoked;

export interface SingleResponse extends UpdateSpan {
  readonly id: CertificateId;
  readonly certificateStatus: OcspStatus;
  readonly extensions: readonly Extension[];
}

function readSingleResponse(der: Der): SingleResponse {
  const what = "SingleResponse";
  const fields = children(expect(der, Tag.sequence, what), what);
  const [id, status, thisUpdate, ...optional] = fields;
  const next = optional[0]?.tag === context(0) ? only(children(readFirst(optional), "nextUpdate"), "nextUpdate") : null;
  const extensions =
    optional[0]?.tag === context(1) ? readResponseExtensions(readFirst(optional), "singleExtensions") : [];
  if (optional.length > 0) throw new DerError(`${what}: data after its extensions`);
  const read = { id: readCertificateId(id), said: readStatus(status) };
  const updated = readGeneralizedTime(thisUpdate, "thisUpdate");
  return {
    id: read.id,
    certificateStatus: toStatus(read.said, updated),
    thisUpdate: updated,
    nextUpdate: next && readGeneralizedTime(next, "nextUpdate"),
    extensions,
  };
}

type StatusRead =
  | Exclude<OcspStatus, { status: "revoked" }>
  | { readonly status: "revoked"; readonly revokedAt: Instant | null; readonly reason: string | null };

/** RFC 6960 section 2.2: "on hold since 1970" means that it was never issued. A later CRL must not lift that. */
function toStatus(read: StatusRead, thisUpdate: Instant): OcspStatus {
  if (read.status !== "revoked") return read;
  if (read.reason === "certificateHold" && read.revokedAt === 0) return { status: "unknown" };
  // what is revoked is so whatever is wrong with its time
  return { ...read, revokedAt: read.revokedAt ?? thisUpdate };
}

function readStatus(der: Der | undefined): StatusRead {
  const what = "certStatus";
  if (der?.tag === context(0, false) && der.content.length === 0) return { status: "good" };
  if (der?.tag === context(2, false) && der.content.length === 0) return { status: "unknown" };
  const [time, reason, ...more] = children(expect(der, context(1), what), what);
  if (more.length > 0) throw new DerError(`${what}: data after the reason`);
  const code = reason && only(children(expect(reason, context(0), what), what), what);
  const revokedAt = expect(time, Tag.generalizedTime, "revocationTime");
  return {
    status: "revoked",
    revokedAt: orNull(() => readTime(revokedAt, "revocationTime")),
    reason: code ? readCrlReason(code) : null,
  };
}

const readResponseExtensions = (der: Der, what: string): Extension[] =>
  readDistinctExtensions(only(children(expect(der, context(1), what), what), what), what);

const readGeneralizedTime = (der: Der | undefined, what: string): Instant =>
  readTime(expect(der, Tag.generalizedTime, what), what);

function only(values: readonly Der[], what: string): Der {
  const [value, ...more] = values;
  if (!value || more.length > 0) throw new DerError(`${what}: not exactly one value`);
  return value;
}

function readFirst(values: Der[]): Der {
  const value = values.shift();
  if (!value) throw new DerError("missing value");
  return value;
}
