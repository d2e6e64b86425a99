import { createHash } from "node:crypto";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { type EbaFile, type EbaFileOptions, EbaZip, readEbaFile } from "../../../src/registers/import/eba-file.ts";

const RECORD = {
  CA_OwnerID: "IE_CBI",
  EntityCode: "IE_CBI!C58301",
  EntityType: "PSD_PI",
  Properties: [{ ENT_NAT_REF_COD: "C58301" }, { ENT_NAM: 'Fire "{[" Ltd \\' }, { ENT_AUT: ["2018-07-02"] }],
  Services: [{ IE: ["PS_03A"] }],
  __EBA_EntityVersion: "20260814223344848",
};
const JSON_TEXT = JSON.stringify([[{ __EBA_Disclaimer: { EN: "…" } }], [RECORD]]);
const MEMBER = "download-PSDMD-202608160000.json";
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

/** The bytes in pieces of that size, as a network may cut them. */
async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = (bytes: Uint8Array, options: Partial<EbaFileOptions> = {}, size = 7): Promise<EbaFile> =>
  readEbaFile(pieces(bytes, size), { sha256: null, published: null, ...options });

const zip = (members: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(members).map(([name, text]) => [name, strToU8(text)])));

describe("the EBA's file", () => {
  test("is read as JSON, however it is cut", async () => {
    const bytes = strToU8(JSON_TEXT);
    for (let size = 1; size <= bytes.length; size++) {
      const file = await read(bytes, {}, size);
      expect(file).toMatchObject({ ok: true, published: "2026-08-14T22:33:44.848Z", documentSha256: sha256(bytes) });
    }
  });

  test("is read as a ZIP with the checksum of its JSON, before or after it", async () => {
    const sidecar = { [`${MEMBER}.sha256`]: `${sha256(JSON_TEXT).toUpperCase()}  ${MEMBER}\n` };
    for (const members of [
      { ...sidecar, [MEMBER]: JSON_TEXT },
      { [MEMBER]: JSON_TEXT, ...sidecar },
    ]) {
      const bytes = zip(members);
      const file = await read(bytes, { sha256: sha256(bytes).toUpperCase(), published: "2026-08-16T00:00:16Z" });
      expect(file).toMatchObject({ ok: true, published: "2026-08-16T00:00:16Z", sha256: sha256(bytes) });
    }
  });

  test("says how far it is read", async () => {
    const progress: number[] = [];
    await read(strToU8(JSON_TEXT), { onProgress: (bytes) => progress.push(bytes) }, 100);
    expect(progress).toEqual([100, 200, strToU8(JSON_TEXT).length]);
  });

  const good = zip({ [MEMBER]: JSON_TEXT });
  const damaged = good.map((byte, i) => (i === 100 ? byte ^ 0xff : byte));
  const wrong = "0".repeat(64);
  const refusals: [string, Uint8Array, Partial<EbaFileOptions>, RegExp][] = [
    ["another SHA-256 than announced", good, { sha256: wrong }, /^its SHA-256 is [0-9a-f]{64}, and should be 0{64}$/],
    [
      "another JSON than its own checksum says",
      zip({ [MEMBER]: JSON_TEXT, [`${MEMBER}.sha256`]: wrong }),
      {},
      /^the SHA-256 of its JSON is/,
    ],
    [
      "an unreadable checksum",
      zip({ [MEMBER]: JSON_TEXT, [`${MEMBER}.sha256`]: "?" }),
      {},
      /and should be unreadable$/,
    ],
    ["a ZIP cut short", good.subarray(0, 150), {}, /^the ZIP cannot be unpacked: the file: invalid zip data$/],
    ["a ZIP without JSON", zip({ "readme.txt": "hello" }), {}, /^the ZIP cannot be unpacked: no \.json in it$/],
    ["a ZIP with two documents", zip({ "a.json": JSON_TEXT, "b.json": JSON_TEXT }), {}, /a second document, b\.json$/],
    [
      "JSON cut short",
      strToU8(JSON_TEXT.slice(0, -1)),
      {},
      /^the JSON cannot be read: byte \d+: the document ends instead of , or \]$/,
    ],
    ["JSON cut short in a record", strToU8(JSON_TEXT.slice(0, -20)), {}, /the document ends in an object$/],
    ["JSON with data after it", strToU8(`${JSON_TEXT}[]`), {}, /"\[" instead of end$/],
    ["JSON with a comma too many", strToU8("[[{}],]"), {}, /byte 6: "\]" instead of value$/],
    ["JSON with a comma missing", strToU8("[[{}{}]]"), {}, /byte 4: "\{" instead of , or \]$/],
    [
      "a ZIP of something else",
      zip({ "a.json": "<html>" }),
      {},
      /^the JSON cannot be read: byte 0: "<" instead of value$/,
    ],
    ["a ZIP whose packed bytes are damaged", damaged, {}, /^the ZIP cannot be unpacked|^the JSON cannot be read/],
    ["a record that is no JSON", strToU8("[[{'a':1}]]"), {}, /byte 8: the object that ends here is not JSON/],
    ["an object without an array", strToU8("{}"), {}, /byte 0: "\{" instead of value$/],
    ["a web page", strToU8("<html>maintenance</html>"), {}, /byte 0: "<" instead of value$/],
    [
      "bytes that are no UTF-8",
      new Uint8Array([0x5b, 0x7b, 0xff, 0x7d, 0x5d]),
      {},
      /the object that ends here is not JSON/,
    ],
    ["nothing", new Uint8Array(), {}, /byte 0: the document ends instead of value$/],
    ["no institution", strToU8("[[],[]]"), {}, /^it has no institution$/],
    [
      "types that are not known",
      strToU8(JSON.stringify([[{ ...RECORD, EntityType: "PSD_NEW" }]])),
      {},
      /^it has no institution of a type that is known, only 1 of PSD_NEW$/,
    ],
    [
      "banks",
      strToU8(JSON.stringify([[{ ...RECORD, EntityType: "CRD_CRE_INS" }]])),
      {},
      /^it is of the EBA's register of credit institutions \(1 of CRD_CRE_INS\), which is read as the EBA's search answers it: /,
    ],
    [
      "no date",
      strToU8(JSON.stringify([{ ...RECORD, __EBA_EntityVersion: "?" }])),
      {},
      /^no record says when it was changed$/,
    ],
  ];
  test.each(refusals)("with %s is refused", async (_, bytes, options, reason) => {
    const file = await read(bytes, options);
    expect(file.ok ? "" : file.reason).toMatch(reason);
  });
});

test.each<[what: string, members: Record<string, string>, sha256: string | null]>([
  ["none without a checksum file", {}, null],
  ["the checksum in small letters", { [`${MEMBER}.sha256`]: `${"AB".repeat(32)}  ${MEMBER}` }, "ab".repeat(32)],
  ["that it is unreadable", { [`${MEMBER}.sha256`]: "soon" }, "unreadable"],
])("a ZIP says %s", (_, members, expected) => {
  const zipped = new EbaZip(() => {});
  zipped.push(zip({ [MEMBER]: JSON_TEXT, ...members }), true);
  expect(zipped.documentSha256).toBe(expected);
});
