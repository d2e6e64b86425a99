/** Reads certificates as they are published: DER, PKCS#7 (RFC 5652 section 5.1), or either as PEM (RFC 7468). */
import { fromBase64 } from "../platform/encoding.ts";
import { type Certificate, CertificateError, parseCertificate } from "./certificate.ts";
import { children, context, type Der, DerError, expect, readDer, Tag } from "./der.ts";
import { readOid } from "./der-values.ts";

const MAX_CERTIFICATES = 8;
const MAX_CERTIFICATE_BYTES = 16 * 1024;

const SIGNED_DATA = "1.2.840.113549.1.7.2";

const PEM_BLOCK = /-----BEGIN (?:X509 )?(?:CERTIFICATE|PKCS7|CMS)-----([A-Za-z0-9+/=\s]*)-----END /g;

/** Those that can be read, at most {@link MAX_CERTIFICATES}; empty for anything else. Does not throw. */
export function readCertificateBag(bytes: Uint8Array): Certificate[] {
  return listDer(bytes)
    .slice(0, MAX_CERTIFICATES)
    .flatMap((der) => readOne(der) ?? []);
}

const listDer = (bytes: Uint8Array): Uint8Array[] => {
  if (bytes[0] === Tag.sequence) return unpack(bytes);
  const text = new TextDecoder("latin1").decode(bytes);
  return [...text.matchAll(PEM_BLOCK)].slice(0, MAX_CERTIFICATES).flatMap(([, body = ""]) => {
    const der = fromBase64(body.replaceAll(/[\s=]/g, ""));
    return der ? unpack(der) : [];
  });
};

function readOne(der: Uint8Array): Certificate | null {
  if (der.length > MAX_CERTIFICATE_BYTES) return null;
  try {
    return parseCertificate(der);
  } catch (error) {
    if (error instanceof CertificateError) return null;
    throw error;
  }
}

/** The certificates of a PKCS#7 message; anything else is taken for one certificate. */
function unpack(der: Uint8Array): Uint8Array[] {
  try {
    return listSigned(der, "issuers")?.map(({ raw }) => raw) ?? [der];
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}

/** The DER of each certificate of a PKCS#7 message, in its order. Throws {@link DerError}. */
export function readSignedCertificates(der: Uint8Array): Uint8Array[] {
  const found = listSigned(der, "PKCS#7");
  if (!found) throw new DerError("PKCS#7: not SignedData");
  // RFC 5652 section 10.2.2: the other choices are attribute certificates and obsolete forms
  return found.flatMap(({ tag, raw }) => (tag === Tag.sequence ? [raw] : []));
}

/** The member `certificates [0]` of SignedData, whose signatures are not looked at; null for other contents. */
function listSigned(der: Uint8Array, what: string): Der[] | null {
  const [type, content] = children(expect(readDer(der, what), Tag.sequence, what), what);
  if (type?.tag !== Tag.oid || readOid(type, what) !== SIGNED_DATA) return null;
  const [signedData] = children(expect(content, context(0), what), what);
  const certificates = children(expect(signedData, Tag.sequence, what), what).find(({ tag }) => tag === context(0));
  return certificates ? children(certificates, what) : [];
}
