/** Reads primitive DER values (X.690 section 10, RFC 5280). Only character strings may deviate from DER. */
import type { Instant } from "../platform/instant.ts";
import { type Der, DerError, expect, Tag } from "./der.ts";

/** A greater arc, seven bits longer, might not be exact as a number. Nearly all arcs are, which takes a tenth of the time. */
const MAX_NUMBER_ARC = 2 ** 46;

export function readOid(der: Der | undefined, what: string): string {
  const { content } = expect(der, Tag.oid, what);
  if (content.length === 0 || content.length > 64)
    throw new DerError(`${what}: object identifier of ${content.length} bytes`);
  const arcs: (number | bigint)[] = [];
  let arc: number | bigint = 0;
  let fresh = true;
  for (const byte of content) {
    if (fresh && byte === 0x80) throw new DerError(`${what}: object identifier not minimal`);
    const digit = byte & 0x7f;
    // X.667 puts a whole 128-bit UUID into one arc (2.25.x), which a number cannot hold
    arc = typeof arc === "number" && arc < MAX_NUMBER_ARC ? arc * 128 + digit : BigInt(arc) * 128n + BigInt(digit);
    fresh = byte < 0x80;
    if (fresh) {
      arcs.push(arc);
      arc = 0;
    }
  }
  if (!fresh) throw new DerError(`${what}: object identifier truncated`);
  const [head = 0, ...rest] = arcs;
  const root = head < 80 ? Math.floor(Number(head) / 40) : 2;
  return [root, typeof head === "number" ? head - 40 * root : head - 80n, ...rest].join(".");
}

export function readInteger(der: Der | undefined, what: string): Uint8Array {
  const { content } = expect(der, Tag.integer, what);
  const [first, second] = content;
  if (first === undefined) throw new DerError(`${what}: empty integer`);
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
    throw new DerError(`${what}: integer not minimal`);
  return content;
}

export function readSmallInteger(der: Der | undefined, what: string): number {
  const content = readInteger(der, what);
  if ((content[0] ?? 0) >= 0x80 || content.length > 5) throw new DerError(`${what}: integer out of range`);
  return content.reduce((value, byte) => value * 256 + byte, 0);
}

export function readBoolean(der: Der | undefined, what: string): boolean {
  const { content } = expect(der, Tag.boolean, what);
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff))
    throw new DerError(`${what}: not a DER boolean`);
  return content[0] === 0xff;
}

export function readBitString(der: Der | undefined, what: string): { bytes: Uint8Array; unusedBits: number } {
  const { content } = expect(der, Tag.bitString, what);
  const unusedBits = content[0];
  if (unusedBits === undefined || unusedBits > 7 || (content.length === 1 && unusedBits > 0))
    throw new DerError(`${what}: malformed bit string`);
  const last = content[content.length - 1] ?? 0;
  if (content.length > 1 && (last & ((1 << unusedBits) - 1)) !== 0) throw new DerError(`${what}: unused bits set`);
  return { bytes: content.subarray(1), unusedBits };
}

/** The parts of a GeneralizedTime, and of a UTCTime behind the century of its year. */
const TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;

/** With seconds, `Z` and no fraction (RFC 5280 section 4.1.2.5). Throws {@link DerError}. */
export function readTime(der: Der | undefined, what: string): Instant {
  if (der?.tag !== Tag.utcTime && der?.tag !== Tag.generalizedTime) throw new DerError(`${what}: not a time`);
  const text = readLatin1(der.content.subarray(0, 32));
  // RFC 5280 section 4.1.2.5.1: two-digit years from 50 on are in the 1900s
  const century = der.tag === Tag.generalizedTime ? "" : text >= "5" ? "19" : "20";
  const parts = TIME.exec(century + text);
  if (!parts || der.content.length !== text.length) throw new DerError(`${what}: malformed time`);
  const [, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  // not Date.UTC, which takes the first hundred years for those of the 20th century
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || hour > 23 || minute > 59 || second > 59) throw new DerError(`${what}: no such time ${text}`);
  return date.setUTCHours(hour, minute, second);
}

/** Of one call: each byte is an argument of it. */
const BYTES_AT_ONCE = 4096;

/** Each byte as the character of its number. */
export function readLatin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + BYTES_AT_ONCE));
  return text;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf16 = new TextDecoder("utf-16be", { fatal: true, ignoreBOM: true });

/** Null for no character string. One-byte types are read as Latin-1: certificates in use violate the alphabets. */
export function readString(der: Der): string | null {
  try {
    switch (der.tag) {
      case Tag.utf8String:
        return utf8.decode(der.content);
      case Tag.bmpString:
        return utf16.decode(der.content);
      case Tag.universalString: {
        if (der.content.length % 4 !== 0) return null;
        const view = new DataView(der.content.buffer, der.content.byteOffset, der.content.length);
        const count = der.content.length / 4;
        return Array.from({ length: count }, (_, i) => String.fromCodePoint(view.getUint32(i * 4))).join("");
      }
      case Tag.teletexString:
      case Tag.printableString:
      case Tag.numericString:
      case Tag.ia5String:
      case Tag.visibleString:
        return readLatin1(der.content);
      default:
        return null;
    }
  } catch {
    return null;
  }
}
