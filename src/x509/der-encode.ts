/** A DER writer (X.690 section 10) for OCSP requests, stored CRLs, and malformed input in tests. */
import { concatenate } from "../platform/encoding.ts";
import { Tag } from "./der.ts";

/** Encodes one value: identifier octet, minimal length, then the contents concatenated. */
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
