/**
 * Reads key usage and extended key usage without the certificate's other extensions. A responder's or an anchor's
 * certificate may have extensions that path validation would refuse.
 */
import { type Certificate, findExtension } from "./certificate.ts";
import { children, expect, readDer, Tag } from "./der.ts";
import { readOid } from "./der-values.ts";
import { Oid, readKeyUsage } from "./extensions.ts";

export const KeyUsage = { digitalSignature: 1 << 0, nonRepudiation: 1 << 1, cRLSign: 1 << 6 } as const;

/** True when the certificate has no keyUsage, which allows every use, or asserts any of `bits`. Throws DerError. */
export function allowsKeyUsage(certificate: Certificate, bits: number): boolean {
  const extension = findExtension(certificate, Oid.keyUsage);
  return !extension || (readKeyUsage(readDer(extension.value, "keyUsage"), "keyUsage") & bits) !== 0;
}

/**
 * True when extKeyUsage lists this purpose explicitly. An absent extension and anyExtendedKeyUsage do not count. Throws
 * DerError.
 */
export function namesPurpose(certificate: Certificate, purpose: string): boolean {
  const extension = findExtension(certificate, Oid.extKeyUsage);
  if (!extension) return false;
  const purposes = children(
    expect(readDer(extension.value, "extKeyUsage"), Tag.sequence, "extKeyUsage"),
    "extKeyUsage",
  );
  return purposes.some((each) => readOid(each, "extKeyUsage") === purpose);
}
