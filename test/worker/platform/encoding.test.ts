/** workerd has encoders of its own, Node 24 `Buffer` and `atob` (src/platform/encoding.ts): both write, take and refuse the same. */
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase64, toBase64, toBase64Url, toHex } from "../../../src/platform/encoding.ts";

test("this runtime has a decoder and encoders of its own", () => {
  expect(Uint8Array).toHaveProperty("fromBase64");
  expect(new Uint8Array()).toMatchObject({ toHex: expect.any(Function), toBase64: expect.any(Function) });
});

function decodeByAtob(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return null;
  }
}

test("of any text the bytes are those of atob, or it is refused by both", () => {
  const sextet = fc.constantFrom(..."ABCZabcz0189+/-_=  \t\r\n\f\v\0é.");
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: sextet, maxLength: 12 }), fc.base64String(), fc.string()), (text) => {
      expect(fromBase64(text)).toEqual(decodeByAtob(text));
    }),
    { numRuns: 2_000 },
  );
});

test("bytes come back from both alphabets, and only those of a part are written", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(10), (bytes, from) => {
      const part = bytes.subarray(from);
      expect(fromBase64(toBase64(part))).toEqual(new Uint8Array(part));
      expect(fromBase64(toBase64Url(part))).toEqual(new Uint8Array(part));
      expect(toBase64Url(part)).toMatch(/^[A-Za-z0-9_-]*$/);
      expect(toHex(part)).toBe(Array.from(part, (byte) => byte.toString(16).padStart(2, "0")).join(""));
      const buffer = Buffer.from(part);
      expect([toBase64(part), toBase64Url(part)]).toEqual([buffer.toString("base64"), buffer.toString("base64url")]);
    }),
  );
});
