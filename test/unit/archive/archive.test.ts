/** An archive proves what it has, by itself; and whatever of it is altered is found. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  DOCUMENTS,
  HEADS,
  MANIFEST,
  parseManifest,
  RECORDS,
  SIGNATURE,
  writeManifest,
} from "../../../src/archive/manifest.ts";
import { verifyArchive } from "../../../src/archive/verify-archive.ts";
import { type Files, readZip, writeZip } from "../../../src/archive/zip-file.ts";
import { publishKeys } from "../../../src/signatures/signing-keys.ts";
import { makeSigner } from "../signatures/signed-exchange.ts";
import { chain, headOf, KEYS, makeArchive, makeParts, type Parts, SIGNED_AT, signManifest } from "./made-archive.ts";

let parts: Parts;
let archive: Buffer;
let files: Map<string, Uint8Array>;
beforeAll(async () => {
  parts = await makeParts();
  archive = makeArchive(parts);
  const read = readZip(archive);
  if (!read.ok) throw new Error(read.reason);
  files = new Map(read.files);
});

const verify = (bytes: Uint8Array, keys: typeof KEYS | null = KEYS) => verifyArchive(bytes, keys, SIGNED_AT);
const reasonOf = async (bytes: Uint8Array) => {
  const verdict = await verify(bytes);
  return verdict.ok ? "proven" : verdict.reason;
};
const textOf = (name: string) => new TextDecoder().decode(files.get(name));
const utf8 = (text: string) => new TextEncoder().encode(text);

test("is proven, and each answer comes out again", async () => {
  for (const keys of [KEYS, null])
    expect(await verify(archive, keys)).toMatchObject({
      ...{ ok: true, kid: "20261101T000000Z", signedAt: SIGNED_AT, records: 4, heads: 1 },
      replays: { equal: 4, different: [], incomplete: [] },
    });
});

test("other keys than the service's prove nothing", async () => {
  const { named } = makeSigner("20261101T000000Z", Date.parse("2026-11-01T00:00:00Z") / 1000);
  expect(await verify(archive, publishKeys([named]))).toMatchObject({ ok: false });
  expect(await verify(archive, [])).toMatchObject({ reason: expect.stringContaining("not among the given keys") });
});

describe("one byte altered is found", () => {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    by: fc.integer({ min: 1, max: 255 }),
  });
  const alter = (bytes: Uint8Array, { at, by }: { at: number; by: number }) => {
    const place = Math.floor(at * bytes.length);
    return Uint8Array.from(bytes).with(place, (bytes[place] ?? 0) ^ by);
  };
  const isRefused = async (bytes: Uint8Array) => !(await verify(bytes)).ok;

  test("anywhere in the ZIP file", async () => {
    await fc.assert(
      fc.asyncProperty(change, (each) => isRefused(alter(archive, each))),
      { numRuns: 300 },
    );
  });

  test("in any of its files, with the checksums of the ZIP file put right", async () => {
    const name = fc.constantFrom(...files.keys());
    const property = fc.asyncProperty(name, change, (name, each) =>
      isRefused(writeZip(new Map([...files, [name, alter(files.get(name) ?? new Uint8Array(), each)]]))),
    );
    await fc.assert(property, { numRuns: 300 });
  });

  test("anywhere in the manifest and its signature, each byte of which counts", async () => {
    for (const name of [MANIFEST, SIGNATURE]) {
      const content = files.get(name) ?? new Uint8Array();
      for (let place = 0; place < content.length; place += 7)
        expect([
          place,
          await isRefused(writeZip(new Map([...files, [name, content.with(place, (content[place] ?? 0) ^ 1)]]))),
        ]).toEqual([place, true]);
    }
  });

  test("and the digests in the manifest put right: the service has not signed these", async () => {
    const manifest = parseManifest(textOf(MANIFEST));
    if (!manifest) throw new Error("no manifest");
    const name = fc.constantFrom(...Object.keys(manifest.files));
    const property = fc.asyncProperty(name, change, async (name, each) => {
      const altered = new Map([...files, [name, alter(files.get(name) ?? new Uint8Array(), each)]]);
      return isRefused(rewriteManifest(altered));
    });
    await fc.assert(property, { numRuns: 100 });
  });
});

/** With a manifest that names the files as they are; `sign`: signed by the service itself. */
function rewriteManifest(altered: Files, sign = false): Buffer {
  const { form: _, files: __, ...about } = parseManifest(textOf(MANIFEST)) ?? expect.fail("no manifest");
  const listed = new Map([...altered].filter(([name]) => name !== MANIFEST && name !== SIGNATURE));
  const manifest = writeManifest(about, listed);
  const signature = sign ? utf8(signManifest(manifest)) : (altered.get(SIGNATURE) ?? new Uint8Array());
  return writeZip(new Map([...listed, [MANIFEST, utf8(manifest)], [SIGNATURE, signature]]));
}

describe("what the service itself would sign again", () => {
  const entries = () => parts.records.map((text) => JSON.parse(text.replace(/^\{"seq":\d+,"prev":"\w+",/, "{")));

  test("a record that was altered, removed, moved or cut off below a signed head shows", async () => {
    const [a = "", b = "", c = "", d = ""] = parts.records;
    const rewritten = chain(
      entries().map((entry, i) => (i === 1 ? { ...entry, status: 500 } : entry)),
      parts.before,
    );
    const cases: [Partial<Parts>, RegExp][] = [
      [{ records: [a, b.replace('"status":200', '"status":500'), c, d] }, /record 4[23] /],
      [{ records: [a, c, d] }, /record 42 is missing: 43 stands in its place/],
      [{ records: [a, c, b, d] }, /record 42 is missing/],
      [{ records: [a, b, c], last: chain(entries().slice(0, 3), parts.before).last }, /head 1 is not of these records/],
      // the whole chain from there on made anew: the head that was fetched before is of another one
      [{ ...rewritten }, /record 44 is not the one that was signed/],
      [{ heads: [] }, /no signed head covers the last 4 of 4 records/],
      [{ heads: [headOf(chain(entries().slice(0, 2), parts.before).last)] }, /no signed head covers the last 2 of 4/],
      [{ heads: [headOf(parts.last, "PSDXX-TEST-FI0002")] }, /head 1 is not of these records/],
    ];
    for (const [change, reason] of cases) expect(await reasonOf(makeArchive({ ...parts, ...change }))).toMatch(reason);
  });

  test("a document that belongs to no record, or is not the one of its name", async () => {
    const put = (name: string, text: string) => rewriteManifest(new Map([...files, [name, utf8(text)]]), true);
    const [sha256 = ""] = parts.documents.keys();
    expect(await reasonOf(put(`${DOCUMENTS}${sha256}`, "something else"))).toContain("was altered");
    const other = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    expect(await reasonOf(put(`${DOCUMENTS}${other}`, "test"))).toContain("belongs to no record: it was added");
    expect(await reasonOf(put("more.txt", "test"))).toContain("has no place in an archive");
  });

  test("a missing document is no alteration: the record cannot be made again, and says what is missing", async () => {
    const documents = new Map(parts.documents);
    const { answer, id } = JSON.parse(parts.records[0] ?? "");
    documents.delete(answer);
    expect(await verify(makeArchive({ ...parts, documents }))).toMatchObject({
      ok: true,
      replays: { equal: 3, incomplete: [{ id, missing: [{ what: "answer", sha256: answer, reason: "absent" }] }] },
    });
  });
});

describe("a ZIP file of another form", () => {
  test.each<[string, (bytes: Buffer) => Uint8Array]>([
    ["with something after its end", (bytes) => Buffer.concat([bytes, Buffer.from("x")])],
    ["with something before its beginning", (bytes) => Buffer.concat([Buffer.from("x"), bytes])],
    ["with a comment", (bytes) => Buffer.concat([bytes.subarray(0, -2), Buffer.from([1, 0, 65])])],
    ["cut off", (bytes) => bytes.subarray(0, -30)],
    ["empty", () => new Uint8Array()],
    ["without a file", () => writeZip(new Map())],
  ])("%s is refused", async (_, change) => {
    expect(await verify(change(archive))).toMatchObject({ ok: false });
  });

  test("with a name twice is refused", async () => {
    const one = writeZip(new Map([["a.txt", utf8("a")]]));
    const local = one.subarray(0, one.indexOf(Buffer.from([0x50, 0x4b, 1, 2])));
    expect(readZip(Buffer.concat([local, one]))).toEqual({ ok: false, reason: "the ZIP file has a.txt twice" });
  });

  test.each(["../a", "/a", "a//b", "a\\b", "", "a b"])("no file is named %j", (name) => {
    expect(() => writeZip(new Map([[name, utf8("a")]]))).toThrow(RangeError);
  });

  test("never throws, whatever the bytes are", () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((tail) => Buffer.concat([Buffer.from("PK\u0003\u0004"), tail]));
    fc.assert(fc.property(bytes, (each) => !readZip(each).ok));
  });
});

describe("checked by hand, as its README says", () => {
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  const run = (command: string) =>
    spawnSync("bash", ["-euo", "pipefail", "-c", command], { cwd: folder, encoding: "utf8" });
  beforeAll(() => {
    writeFileSync(join(folder, "archive.zip"), archive);
    return () => rmSync(folder, { recursive: true });
  });

  test("another program unpacks it: Python's", () => {
    const { status, stderr } = run("python3 -m zipfile -e archive.zip . && python3 -m zipfile -t archive.zip");
    expect([status, stderr]).toEqual([0, ""]);
  });

  test("the chain by sha256sum, the head by OpenSSL", () => {
    const lines = textOf(RECORDS).split("\n");
    const first = run("sed -n 1p records.jsonl | tr -d '\\n' | sha256sum").stdout.slice(0, 64);
    expect(JSON.parse(lines[1] ?? "").prev).toBe(first);
    const readme = textOf("README.txt");
    const [command = ""] = /^ {5}\(printf '302a[\s\S]*signature\.bin$/m.exec(readme) ?? [];
    const { stdout, stderr } = run(`X=${KEYS[0]?.x}\n${command.replaceAll(/^ {5}/gm, "")}`);
    expect([command.split("\n").length, stdout, stderr]).toEqual([4, "Signature Verified Successfully\n", ""]);
    expect(textOf(HEADS).split("\n")).toHaveLength(2);
  });
});
