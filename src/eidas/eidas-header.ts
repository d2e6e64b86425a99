/** Parses the `eidas` header and the `eIDAS` body field: the PSP's certificate, alone or with issuers, in any order. */
import { sameBytes } from "../platform/encoding.ts";
import { type Certificate, CertificateError, parseCertificate } from "../x509/certificate.ts";
import { findOwn, isCa } from "../x509/chain-order.ts";
import { type Der, DerError, readDerAt, Tag } from "../x509/der.ts";
import { type DerKind, recogniseDer } from "../x509/der-kind.ts";
import {
  type Blanks,
  decodeCertificateText,
  type EidasHeaderFault,
  fault,
  NOT_A_CERTIFICATE,
} from "./certificate-text.ts";

export const MAX_CERTIFICATE_BYTES = 16 * 1024;
/** Includes the leaf. Chains to the anchors of the EU trusted lists have at most four. */
export const MAX_CERTIFICATES = 10;

export type EidasHeader =
  | {
      readonly ok: true;
      readonly leaf: Certificate;
      readonly issuers: readonly Certificate[];
      /** The one of the issuers that was sent before all others, if the leaf was not: see stranger.ts. */
      readonly first?: Certificate;
      /** Whether commas join the leaf and its issuers: each may be another sender's, see stranger.ts. */
      readonly joined?: true;
    }
  | EidasHeaderFault;

/**
 * Does not throw. Blanks are first read as line breaks, then as the `+` that a form decoder replaced, then with those
 * that HTTP cut off at the end. The strict DER reader rejects a wrong reading. `known`: a certificate that was parsed of it
 * before, and is not parsed again.
 */
export function parseEidasHeader(value: string, known?: Certificate): EidasHeader {
  const header = readHeader(value, "ignored", known);
  if (header.ok) return header;
  if (SHORT.test(value)) return fault(header.reason, explainShort(value.length));
  if (!/\S +\S/.test(value)) return header;
  const withPlus = readHeader(value, "plus");
  if (withPlus.ok) return withPlus;
  const whole = readHeader(value, "plus, also at the end");
  return whole.ok ? whole : header;
}

const SHORT = /^[\w+/=-]{1,100}$/;

const explainShort = (characters: number): string =>
  `${characters} ${characters === 1 ? "character" : "characters"}, where a certificate in base64 has several hundred: send the whole of it`;

function readHeader(value: string, blanks: Blanks, known?: Certificate): EidasHeader {
  const text = decodeCertificateText(value, blanks);
  if (!text.ok) return text;
  const certificates: Certificate[] = [];
  for (let offset = 0; offset < text.bytes.length; ) {
    const what = certificates.length === 0 ? "" : `certificate ${certificates.length + 1}: `;
    if (certificates.length === MAX_CERTIFICATES)
      return fault("too-many-certificates", `more than ${MAX_CERTIFICATES} certificates`);
    const rest = text.bytes.subarray(offset);
    if (rest[0] !== Tag.sequence)
      return certificates.length === 0
        ? fault("not-a-certificate", "neither a certificate nor any other DER")
        : fault("trailing-bytes", `${rest.length} bytes after certificate ${certificates.length}`);
    const read = readCertificate(rest, known);
    if (!read.ok) return fault(read.reason, what + read.message);
    certificates.push(read.certificate);
    offset += read.certificate.der.length;
  }
  // each of two senders in a row may have added its PSP's: neither is taken for the other
  if (text.joined && certificates.filter((each) => !isCa(each)).length > 1)
    return fault("several-values", "a list with the certificates of several PSPs: send one PSP's and its issuers");
  const leaf = findOwn(certificates);
  if (!leaf) return fault("empty", "empty");
  const [first] = certificates;
  const issuers = certificates.filter((each) => each !== leaf);
  return { ok: true, leaf, issuers, ...(first && first !== leaf && { first }), ...(text.joined && { joined: true }) };
}

function readCertificate(
  bytes: Uint8Array,
  known?: Certificate,
): { ok: true; certificate: Certificate } | EidasHeaderFault {
  let der: Der | null = null;
  try {
    der = readDerAt(bytes, 0, "certificate");
    if (der.raw.length > MAX_CERTIFICATE_BYTES)
      return fault("too-large", `${der.raw.length} bytes; a certificate has at most ${MAX_CERTIFICATE_BYTES}`);
    const isKnown = known !== undefined && sameBytes(known.der, der.raw);
    return { ok: true, certificate: isKnown ? known : parseCertificate(der.raw) };
  } catch (error) {
    if (error instanceof DerError)
      return error.truncated
        ? fault("truncated", "truncated: it is shorter than its length field says")
        : fault("malformed-certificate", error.message);
    if (error instanceof CertificateError && der) return refusal(recogniseDer(der), error.message);
    throw error;
  }
}

function refusal(kind: DerKind, problem: string): EidasHeaderFault {
  switch (kind) {
    case "certificate":
      return fault("malformed-certificate", `malformed: ${problem}`);
    case "private-key":
    case "public-key":
    case "signing-request":
    case "revocation-list":
      return fault(kind, NOT_A_CERTIFICATE[kind]);
    case "signed-data":
      return fault("not-a-certificate", "a CMS (PKCS#7) container, not a certificate");
    case "ocsp-response":
      return fault("not-a-certificate", "an OCSP response, not a certificate");
    case "key-store":
      return fault("not-a-certificate", "a PKCS#12 key store, not a certificate");
    case "unknown":
      return fault("not-a-certificate", `not a certificate: ${problem}`);
  }
}

/** Null if the header does not begin with a certificate. Does not throw, whatever the string. */
export function readFirstCertificate(header: string): Certificate | null {
  const text = decodeCertificateText(header);
  if (!text.ok) return null;
  try {
    const { raw } = readDerAt(text.bytes, 0, "certificate");
    return raw.length > MAX_CERTIFICATE_BYTES ? null : parseCertificate(raw);
  } catch (error) {
    if (error instanceof DerError || error instanceof CertificateError) return null;
    throw error;
  }
}
