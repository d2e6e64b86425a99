import { children, context, DerError, expect, readDer, Tag } from "./der.ts";
import { readOid } from "./der-values.ts";

const SIGNED_DATA = "1.2.840.113549.1.7.2";

/** The DER of each certificate, in the container's order. Throws {@link DerError}. */
export function readSignedCertificates(der: Uint8Array): Uint8Array[] {
  const what = "PKCS#7";
  const [type, wrapper] = children(expect(readDer(der, what), Tag.sequence, what), what);
  if (readOid(type, what) !== SIGNED_DATA) throw new DerError(`${what}: not SignedData`);
  const [signedData] = children(expect(wrapper, context(0), what), what);
  const parts = children(expect(signedData, Tag.sequence, what), what);
  const certificates = parts.find(({ tag }) => tag === context(0));
  // section 10.2.2: the other choices are attribute certificates and obsolete forms
  return certificates
    ? children(certificates, what).flatMap(({ tag, raw }) => (tag === Tag.sequence ? [raw] : []))
    : [];
}
