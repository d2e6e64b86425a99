/**
 * Strict DER (X.690 section 10). asn1js is not used because it accepts BER: two readings of the same signed bytes open
 * the way to forgeries. One level at a time is read, so nested input cannot exhaust the stack.
 */
import { concatenate } from "../platform/encoding.ts";

/** The only error thrown for untrusted DER. `message` says what is wrong and in which field. */
export class DerError extends Error {
  override readonly name = "DerError";
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

/** The identifier octet of the context-specific tag `[n]`, constructed by default. */
export const context = (n: number, constructed = true) => (constructed ? 0xa0 : 0x80) | n;

/** One value: its identifier octet, its complete encoding and its contents. Both arrays are views, not copies. */
export interface Der {
  readonly tag: number;
  readonly raw: Uint8Array;
  readonly content: Uint8Array;
}

/** Reads the value at `offset` and ignores what follows it. Throws {@link DerError}. */
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

export function readDer(bytes: Uint8Array, what: string): Der {
  const der = readDerAt(bytes, 0, what);
  if (der.raw.length !== bytes.length)
    throw new DerError(`${what}: ${bytes.length - der.raw.length} bytes after its end`);
  return der;
}

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

/**
 * Returns a value that is read no further, if all that is constructed in it is DER: else another reader would see another end.
 * Throws {@link DerError}.
 */
export function expectWhole(der: Der, what: string): Der {
  // no recursion: a stranger decides how deep it is
  for (const open = [der]; ; ) {
    const next = open.pop();
    if (!next) return der;
    if ((next.tag & 0x20) !== 0) open.push(...children(next, what));
  }
}

export function expect(der: Der | undefined, tag: number, what: string): Der {
  if (!der) throw new DerError(`${what}: missing`);
  if (der.tag !== tag) throw new DerError(`${what}: tag 0x${der.tag.toString(16)} instead of 0x${tag.toString(16)}`);
  return der;
}

export function encodeDer(tag: number, ...contents: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = contents.reduce((sum, part) => sum + part.length, 0);
  const lengthBytes: number[] = [];
  if (length < 0x80) lengthBytes.push(length);
  else {
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) lengthBytes.unshift(rest % 256);
    lengthBytes.unshift(0x80 | lengthBytes.length);
  }
  return concatenate([Uint8Array.of(tag, ...lengthBytes), ...contents]);
}

/** Encodes an OBJECT IDENTIFIER from its dotted form. The input is not checked: callers pass constants. */
export function encodeOid(dotted: string): Uint8Array<ArrayBuffer> {
  const [root = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [root * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift(0x80 | (left % 128));
    return groups;
  });
  return encodeDer(Tag.oid, Uint8Array.from(bytes));
}
