/** Conversion between bytes and text (hex, base64, base64url), and a check of UTF-8. */

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

// joined: a text that grows by `+=` may stay a tree of its parts in V8, and digests are kept
export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => HEX[byte]).join("");

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Base64 in either alphabet, padded or not; null for anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    // a loop: Uint8Array.from over a string takes forty times as long, more than the rest of parsing a certificate
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    return null;
  }
}

/** Offset of the first byte sequence that is not well-formed UTF-8 (Unicode, table 3-7); -1 if there is none. */
export function findInvalidUtf8(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length === 0) return at;
    for (let i = 1; i < length; i++) {
      // limits of the second byte: exclude overlong forms, surrogates, and code points above U+10FFFF
      const least = i > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
      const most = i > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      const byte = bytes[at + i] ?? 0;
      if (byte < least || byte > most) return at;
    }
    at += length;
  }
  return -1;
}

/** Compares bytes that are not secret. Not constant-time: secrets are compared in secrets.ts. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
