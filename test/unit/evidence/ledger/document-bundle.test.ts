/** A bundle is read only with the documents that were written: whatever else it is, it is no bundle. */
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bundle, decodeBundle, encodeBundle } from "../../../../src/evidence/ledger/document-bundle.ts";

const sha256 = (content: Uint8Array | string) => createHash("sha256").update(content).digest("hex");
const bundle = (parts: number, ...documents: Uint8Array[]): Bundle => ({
  parts,
  documents: new Map(documents.map((bytes) => [sha256(bytes), bytes])),
});
const SMALL = bundle(2, Uint8Array.of(1, 2, 3), new Uint8Array(), Uint8Array.of(4));
/** As compressible as answers are. */
const LARGE = bundle(1, new Uint8Array(70_000).fill(7), Uint8Array.of(1));

const plain = ({ parts, documents }: Bundle) => ({
  parts,
  documents: [...documents].map(([name, bytes]) => [name, [...bytes]]),
});
const read = async (bytes: Uint8Array) => await decodeBundle(Uint8Array.from(bytes));
/** With a digest of its own, as whoever can write the bucket can make it. */
const forge = (content: unknown) => {
  const line = JSON.stringify(content);
  return Buffer.from(`${line}\n"${sha256(line)}"\n`);
};

test.each([
  ["plain", SMALL, "{"],
  ["gzipped", LARGE, "\x1f"],
])("what was written is read: %s", async (_, made, first) => {
  const written = await encodeBundle(made);
  expect(String.fromCharCode(written[0] ?? 0)).toBe(first);
  const again = await read(written);
  expect(again && plain(again)).toEqual(plain(made));
});

test.each([
  ["plain", SMALL, []],
  // a gzip's header says more than its content: when it was made, and by what
  ["gzipped", LARGE, [LARGE]],
])("any altered bit, and any other length, is found, or changes nothing of it: %s", async (_, made, harmless) => {
  const written = await encodeBundle(made);
  const allowed = [null, ...harmless.map((one) => JSON.stringify(plain(one)))];
  const expectFound = async (bytes: Uint8Array) => {
    const again = await read(bytes);
    expect(allowed).toContain(again && JSON.stringify(plain(again)));
  };
  const bits = fc.nat({ max: written.length * 8 - 1 });
  await fc.assert(
    fc.asyncProperty(bits, fc.nat({ max: written.length - 1 }), async (bit, length) => {
      const altered = Uint8Array.from(written);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await expectFound(altered);
      expect(await read(written.subarray(0, length))).toBeNull();
      expect(await read(Buffer.concat([written, written.subarray(0, length + 1)]))).toBeNull();
    }),
    { numRuns: 30 },
  );
});

describe("nor does a digest make one of what is none", () => {
  const [one, name] = ["AQID", sha256(Uint8Array.of(1, 2, 3))];
  test("but of what is one", async () =>
    expect(await read(forge({ parts: 1, documents: { [name]: one } }))).not.toBeNull());
  test.each<[string, unknown]>([
    ["no object", null],
    ["no parts", { documents: {} }],
    ["parts from 0 on", { parts: 0, documents: {} }],
    ["half a part", { parts: 1.5, documents: {} }],
    ["a document of another name", { parts: 1, documents: { [name.replace(/^./, "x")]: one } }],
    ["another document", { parts: 1, documents: { [name]: "AQIE" } }],
    ["a document that is no base64", { parts: 1, documents: { [name]: "%" } }],
    ["a document that is no text", { parts: 1, documents: { [name]: 1 } }],
  ])("%s", async (_, content) => expect(await read(forge(content))).toBeNull());
});

test("nor of a line that is no JSON", async () => {
  for (const line of ["", "{", "parts"])
    expect(await read(Buffer.from(`${line}\n"${sha256(Buffer.from(line))}"\n`))).toBeNull();
});

test("no more is expanded than a bundle may be", async () => {
  const written = await encodeBundle(LARGE);
  expect(await read(gzipSync(gunzipSync(written)))).not.toBeNull();
  const content = (bytes: number) => {
    const document = new Uint8Array(bytes);
    return encodeBundle(bundle(1, document));
  };
  expect(await read(await content(15 * 1024 ** 2))).not.toBeNull();
  expect(await read(await content(18 * 1024 ** 2))).toBeNull();
});
