/**
 * The first certificate of the header `eidas` alone, for reading ahead before the caller is known: what follows it is not
 * looked at. Whether it is the PSP's own, and whether the header is sound, is decided when all of it is read.
 */
import { type Certificate, CertificateError, parseCertificate } from "../x509/certificate.ts";
import { DerError, readDerAt } from "../x509/der.ts";
import { decodeCertificateText } from "./certificate-text.ts";
import { MAX_CERTIFICATE_BYTES } from "./eidas-header.ts";

/** Null when the header does not begin with a certificate. Throws nothing for any string. */
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
