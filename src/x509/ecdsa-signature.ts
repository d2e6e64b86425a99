import { children, type Der, DerError, expect, readDer, Tag } from "./der.ts";
import { readInteger } from "./der-values.ts";

/** r and s, each padded. Null unless they are strict DER of two numbers that fit (RFC 3279 section 2.2.3). */
export function toPlainSignature(signature: Uint8Array, coordinateBytes: number): Uint8Array | null {
  try {
    const what = "ECDSA signature";
    const [r, s, ...more] = children(expect(readDer(signature, what), Tag.sequence, what), what);
    if (more.length > 0) return null;
    const plain = new Uint8Array(2 * coordinateBytes);
    for (const [half, der] of [r, s].entries()) {
      const number = readPositive(der, what);
      if (number.length > coordinateBytes) return null;
      plain.set(number, (half + 1) * coordinateBytes - number.length);
    }
    return plain;
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}

function readPositive(der: Der | undefined, what: string): Uint8Array {
  const bytes = readInteger(der, what);
  if ((bytes[0] ?? 0) >= 0x80) throw new DerError(`${what}: negative number`);
  return bytes[0] === 0 ? bytes.subarray(1) : bytes;
}
