/** The keyUsage extension (RFC 5280 section 4.2.1.3), as far as revocation asks about it. */
import { type Certificate, findExtension } from "./certificate.ts";
import { readBitString, readDer } from "./der.ts";

const KEY_USAGE = "2.5.29.15";

export const KeyUsageBit = { digitalSignature: 0, nonRepudiation: 1, cRLSign: 6 } as const;

/** True when the certificate has no keyUsage, which allows everything, or asserts one of `bits`. Throws DerError. */
export function allowsKeyUsage(certificate: Certificate, ...bits: readonly number[]): boolean {
  const extension = findExtension(certificate, KEY_USAGE);
  if (!extension) return true;
  const { bytes } = readBitString(readDer(extension.value, "keyUsage"), "keyUsage");
  return bits.some((bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}
