/**
 * What a certificate's key may be used for, read without the rest of its extensions: a responder's certificate or an
 * anchor may hold others that path validation would refuse.
 */
import { type Certificate, findExtension } from "./certificate.ts";
import { children, expect, readDer, Tag } from "./der.ts";
import { readOid } from "./der-values.ts";
import { Oid, readKeyUsage } from "./extensions.ts";

export const KeyUsage = { digitalSignature: 1 << 0, nonRepudiation: 1 << 1, cRLSign: 1 << 6 } as const;

/** True when the certificate has no keyUsage, which allows everything, or one that asserts any of `bits`. Throws DerError. */
export function allowsKeyUsage(certificate: Certificate, bits: number): boolean {
  const extension = findExtension(certificate, Oid.keyUsage);
  return !extension || (readKeyUsage(readDer(extension.value, "keyUsage"), "keyUsage") & bits) !== 0;
}

/** True when extKeyUsage names the purpose itself; absence and anyExtendedKeyUsage do not. Throws DerError. */
export function namesPurpose(certificate: Certificate, purpose: string): boolean {
  const extension = findExtension(certificate, Oid.extKeyUsage);
  if (!extension) return false;
  const purposes = children(
    expect(readDer(extension.value, "extKeyUsage"), Tag.sequence, "extKeyUsage"),
    "extKeyUsage",
  );
  return purposes.some((each) => readOid(each, "extKeyUsage") === purpose);
}
