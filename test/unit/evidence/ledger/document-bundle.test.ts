/** A bundle is read only as it was written: whatever else it is, it is no bundle. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bundle, encodeBundle } from "../../../../src/evidence/ledger/document-bundle.ts";
import { decodeBundle } from "../../../../src/evidence/ledger/opened-bundle.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const document = (bytes: Uint8Array) => ({ sha256: sha256(bytes).toString("hex"), bytes });
const SMALL: Bundle = {
  parts: 2,
  documents: [Uint8Array.of(1, 2, 3), new Uint8Array(), Uint8Array.of(4)].map(document),
};
/** As compressible as answers are. */
const LARGE: Bundle = { parts: 1, documents: [new Uint8Array(70_000).fill(7), Uint8Array.of(1)].map(document) };

const plain = ({ parts, documents }: Bundle) => ({
  parts,
  documents: documents.map(({ sha256, bytes }) => ({ sha256, bytes: [...bytes] })),
});
const read = async (bytes: Uint8Array) => await decodeBundle(Uint8Array.from(bytes));

/** With another digest at its end, as whoever can write the bucket can make it. */
function forge(bundle: Uint8Array, change: (content: Buffer) => Uint8Array): Uint8Array {
  const content = change(Buffer.from(bundle.subarray(0, -32)));
  return Buffer.concat([content, sha256(content)]);
}
const poke = (at: number, value: number) => (content: Buffer) => {
  content[at] = value;
  return content;
};
const TABLE_BYTES = 8 + 36 * 2;

describe.each([
  ["plain", SMALL, 1],
  ["gzipped", LARGE, 2],
])("%s", (_, bundle, form) => {
  test("what was written is read", async () => {
    const written = await encodeBundle(bundle);
    expect([String.fromCharCode(...written.subarray(0, 3)), written[3]]).toEqual(["PGB", form]);
    const again = await read(written);
    expect(again && plain(again)).toEqual(plain(bundle));
  });

  test("any altered bit, and any other length, is found", async () => {
    const written = await encodeBundle(bundle);
    const bits = fc.nat({ max: written.length * 8 - 1 });
    await fc.assert(
      fc.asyncProperty(bits, fc.nat({ max: written.length - 1 }), async (bit, length) => {
        const altered = Uint8Array.from(written);
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(await read(altered)).toBeNull();
        expect(await read(written.subarray(0, length))).toBeNull();
        expect(await read(Buffer.concat([written, written.subarray(0, length + 1)]))).toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  test("nor does a digest make one of what is none", async () => {
    const written = await encodeBundle(bundle);
    for (const change of [
      poke(0, 0x51),
      poke(3, 3),
      poke(3, 3 - form),
      // no parts
      (content: Buffer) => poke(5, 0)(Buffer.from(poke(4, 0)(content))),
      // more documents than the table has room for
      poke(6, 255),
      // another name, another length of the first document
      poke(8, 0),
      poke(43, 9),
      (content: Buffer) => Buffer.concat([content, Buffer.of(0)]),
      (content: Buffer) => content.subarray(0, -1),
    ])
      expect(await read(forge(written, change))).toBeNull();
  });
});

test("no more is expanded than was announced, and no more than 16 MiB", async () => {
  const written = await encodeBundle(LARGE);
  const body = (bytes: Uint8Array) => (content: Buffer) =>
    Buffer.concat([content.subarray(0, TABLE_BYTES), gzipSync(bytes)]);
  expect(await read(forge(written, body(Buffer.concat(LARGE.documents.map(({ bytes }) => bytes)))))).not.toBeNull();
  expect(await read(forge(written, body(new Uint8Array(80_000_000))))).toBeNull();
  expect(await read(forge(written, body(new Uint8Array(1_000))))).toBeNull();
  const huge = { parts: 1, documents: [document(new Uint8Array(17 * 1024 ** 2))] };
  expect(await read(await encodeBundle(huge))).toBeNull();
});
