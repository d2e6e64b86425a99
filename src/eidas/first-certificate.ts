import { type Certificate, CertificateError, parseCertificate } from "../x509/certificate.ts";
import { DerError, readDerAt } from "../x509/der.ts";
import { decodeCertificateText } from "./certificate-text.ts";
import { MAX_CERTIFICATE_BYTES } from "./eidas-header.ts";

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
