/**
 * A strict reader of DER (X.690 section 10): definite, minimal lengths; nothing after the value; bounded depth.
 * It reads structure only. What the structure means is said where it is read (certificate.ts, crl.ts, ...).
 * Our own because asn1js also accepts BER (indefinite lengths, trailing bytes), and two readings of one signed
 * byte string are how forgeries begin.
 */

/** The only error that reading untrusted DER throws. `message` names what is wrong and where. */
export class DerError extends Error {
  override readonly name = "DerError";
  /** The bytes end before the value does. */
  readonly truncated: boolean;
  constructor(message: string, truncated = false) {
    super(message);
    this.truncated = truncated;
  }
}

export const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The identifier octet of a context-specific tag: `[n]`, constructed unless said otherwise. */
export const context = (n: number, constructed = true) => (constructed ? 0xa0 : 0x80) | n;

/** One value: its identifier octet, its whole encoding and its contents (views, not copies). */
export interface Der {
  readonly tag: number;
  readonly raw: Uint8Array;
  readonly content: Uint8Array;
}

/** Reads the value at `offset`; whatever follows it is left. Throws {@link DerError}. */
export function readDerAt(bytes: Uint8Array, offset: number, what: string): Der {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) throw new DerError(`${what}: truncated`, true);
  if ((tag & 0x1f) === 0x1f) throw new DerError(`${what}: multi-byte tag`);
  let start = offset + 2;
  let length = first;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0) throw new DerError(`${what}: indefinite length`);
    if (count > 4) throw new DerError(`${what}: length of ${count} bytes`);
    length = 0;
    for (let i = 0; i < count; i++) {
      const byte = bytes[start + i];
      if (byte === undefined) throw new DerError(`${what}: truncated`, true);
      length = length * 256 + byte;
    }
    start += count;
    if (length < 0x80 || length < 2 ** (8 * (count - 1))) throw new DerError(`${what}: length not minimal`);
  }
  const end = start + length;
  if (end > bytes.length) throw new DerError(`${what}: truncated`, true);
  return { tag, raw: bytes.subarray(offset, end), content: bytes.subarray(start, end) };
}

/** Reads exactly one value that fills `bytes`. Throws {@link DerError}. */
export function readDer(bytes: Uint8Array, what: string): Der {
  const der = readDerAt(bytes, 0, what);
  if (der.raw.length !== bytes.length)
    throw new DerError(`${what}: ${bytes.length - der.raw.length} bytes after its end`);
  return der;
}

/** The values inside a constructed one, in order. Throws {@link DerError}. */
export function children(der: Der, what: string): Der[] {
  if ((der.tag & 0x20) === 0) throw new DerError(`${what}: not constructed`);
  const found: Der[] = [];
  for (let offset = 0; offset < der.content.length; ) {
    const child = readDerAt(der.content, offset, what);
    found.push(child);
    offset += child.raw.length;
  }
  return found;
}

/** Asserts the tag and hands the value on. Throws {@link DerError}. */
export function expect(der: Der | undefined, tag: number, what: string): Der {
  if (!der) throw new DerError(`${what}: missing`);
  if (der.tag !== tag) throw new DerError(`${what}: tag 0x${der.tag.toString(16)} where 0x${tag.toString(16)} belongs`);
  return der;
}

/** An OBJECT IDENTIFIER in dotted form. Throws {@link DerError}. */
export function readOid(der: Der | undefined, what: string): string {
  const { content } = expect(der, Tag.oid, what);
  if (content.length === 0 || content.length > 64)
    throw new DerError(`${what}: object identifier of ${content.length} bytes`);
  const arcs: bigint[] = [];
  let arc = 0n;
  let fresh = true;
  for (const byte of content) {
    if (fresh && byte === 0x80) throw new DerError(`${what}: object identifier not minimal`);
    // X.667 puts whole UUIDs, 128 bits, into one arc (2.25.x)
    arc = arc * 128n + BigInt(byte & 0x7f);
    fresh = byte < 0x80;
    if (fresh) {
      arcs.push(arc);
      arc = 0n;
    }
  }
  if (!fresh) throw new DerError(`${what}: object identifier truncated`);
  const [head = 0n, ...rest] = arcs;
  const root = head < 80n ? head / 40n : 2n;
  return [root, head - 40n * root, ...rest].join(".");
}

/** The contents of an INTEGER, minimal two's complement as they stand. Throws {@link DerError}. */
export function readInteger(der: Der | undefined, what: string): Uint8Array {
  const { content } = expect(der, Tag.integer, what);
  const [first, second] = content;
  if (first === undefined) throw new DerError(`${what}: empty integer`);
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
    throw new DerError(`${what}: integer not minimal`);
  return content;
}

/** A non-negative INTEGER that fits a number. Throws {@link DerError}. */
export function readSmallInteger(der: Der | undefined, what: string): number {
  const content = readInteger(der, what);
  if ((content[0] ?? 0) >= 0x80 || content.length > 5) throw new DerError(`${what}: integer out of range`);
  return content.reduce((value, byte) => value * 256 + byte, 0);
}

/** A BOOLEAN; DER knows only 0x00 and 0xff. Throws {@link DerError}. */
export function readBoolean(der: Der | undefined, what: string): boolean {
  const { content } = expect(der, Tag.boolean, what);
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff))
    throw new DerError(`${what}: not a DER boolean`);
  return content[0] === 0xff;
}

/** The bytes of a BIT STRING and its count of unused bits. Throws {@link DerError}. */
export function readBitString(der: Der | undefined, what: string): { bytes: Uint8Array; unusedBits: number } {
  const { content } = expect(der, Tag.bitString, what);
  const unusedBits = content[0];
  if (unusedBits === undefined || unusedBits > 7 || (content.length === 1 && unusedBits > 0))
    throw new DerError(`${what}: malformed bit string`);
  const last = content[content.length - 1] ?? 0;
  if (content.length > 1 && (last & ((1 << unusedBits) - 1)) !== 0) throw new DerError(`${what}: unused bits set`);
  return { bytes: content.subarray(1), unusedBits };
}

const DIGITS = /^\d+Z$/;

/** UTCTime or GeneralizedTime as RFC 5280 section 4.1.2.5 has them (seconds, `Z`, no fraction), in milliseconds. Throws {@link DerError}. */
export function readTime(der: Der | undefined, what: string): number {
  if (der?.tag !== Tag.utcTime && der?.tag !== Tag.generalizedTime) throw new DerError(`${what}: not a time`);
  const text = String.fromCharCode(...der.content.subarray(0, 32));
  const digits = der.tag === Tag.utcTime ? 12 : 14;
  if (der.content.length !== digits + 1 || !DIGITS.test(text)) throw new DerError(`${what}: malformed time`);
  // RFC 5280 4.1.2.5.1: a two-digit year of 50 and above is in the 1900s
  const full = digits === 14 ? text : (Number(text.slice(0, 2)) >= 50 ? "19" : "20") + text;
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? [];
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = Date.parse(iso);
  // Date.parse rolls 31 February over; a time that does not print as itself is not one
  if (Number.isNaN(time) || new Date(time).toISOString() !== iso) throw new DerError(`${what}: no such time ${text}`);
  return time;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf16 = new TextDecoder("utf-16be", { fatal: true, ignoreBOM: true });

/**
 * Any of ASN.1's character strings, or null for another type or for bytes that do not decode.
 * The one-byte types are read as Latin-1 whatever their alphabet: certificates in use break it, and a name that is
 * shown is better than none. Names are compared by their own rules, in names.ts.
 */
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
        return Array.from(der.content, (byte) => String.fromCharCode(byte)).join("");
      default:
        return null;
    }
  } catch {
    return null;
  }
}
