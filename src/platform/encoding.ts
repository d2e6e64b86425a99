/** Bytes: conversion to and from text (hex, base64, base64url), a check of UTF-8, joining and comparing. */

/** Of ECMAScript 2026, which workerd has and Node 24 has not: `Buffer` takes twice as long for a few bytes. */
type Encode<Options = void> = (this: Uint8Array, options: Options) => string;
const { toHex: hexOf, toBase64: base64Of } = Uint8Array.prototype as {
  toHex?: Encode;
  toBase64?: Encode<{ readonly alphabet: "base64" | "base64url"; readonly omitPadding: boolean }>;
};

/** A view, not a copy: Buffer's encoders are the platform's own on Node. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);

export const toHex = (bytes: Uint8Array): string => (hexOf ? hexOf.call(bytes) : viewOf(bytes).toString("hex"));

export const toBase64 = (bytes: Uint8Array): string =>
  base64Of ? base64Of.call(bytes, { alphabet: "base64", omitPadding: false }) : viewOf(bytes).toString("base64");

/** Without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  base64Of ? base64Of.call(bytes, { alphabet: "base64url", omitPadding: true }) : viewOf(bytes).toString("base64url");

/** Base64 in either alphabet, padded or not; null for anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
}

/** Of ECMAScript 2026, which workerd has and Node 24 has not. It takes and refuses what `atob` does. */
const { fromBase64: decodeNatively } = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

const decodeBase64 = decodeNatively ?? decodeByAtob;

function decodeByAtob(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  // a loop: Uint8Array.from over a string takes forty times as long, more than the rest of parsing a certificate
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
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

/** All parts, one after another, in a new array. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Compares bytes that are not secret. Not constant-time: secrets are compared in secrets.ts. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
