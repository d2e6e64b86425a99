/** Parses an OCSP response (RFC 6960 section 4.2) into typed data. Structure only; ocsp.ts evaluates it. */
import { type AlgorithmIdentifier, type Extension, readAlgorithm } from "../x509/certificate.ts";
import { children, context, type Der, DerError, expect, readDer, Tag } from "../x509/der.ts";
import { readBitString, readOid, readSmallInteger } from "../x509/der-values.ts";
import { type Name, readName } from "../x509/name.ts";
import {
  only,
  readFirst,
  readGeneralizedTime,
  readResponseExtensions,
  readSingleResponse,
  type SingleResponse,
} from "./ocsp-single-response.ts";

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
  readonly producedAt: number;
  readonly responses: readonly SingleResponse[];
  readonly extensions: readonly Extension[];
  /** DER of the signed ResponseData. */
  readonly tbs: Uint8Array;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  /** DER of each enclosed certificate, not parsed. */
  readonly certificates: readonly Uint8Array[];
}

export type OcspResponse =
  | { readonly status: "successful"; readonly basic: BasicOcspResponse }
  /** Name of the OCSPResponseStatus. The responder refused to answer; such a response is not signed. */
  | { readonly status: "refused"; readonly responseStatus: string };

/** Parses an OCSPResponse. Throws only {@link DerError}. */
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
