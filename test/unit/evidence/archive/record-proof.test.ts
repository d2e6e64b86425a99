/** The proof of one record: what it proves, and that whatever of it is altered is found. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test, vi } from "vitest";
import { runCommand } from "../../../../src/cli/program.ts";
import { isProof, verifyProof, writeProof } from "../../../../src/evidence/archive/record-proof.ts";
import type { ChainEnd } from "../../../../src/evidence/ledger/chain.ts";
import { replay } from "../../../../src/evidence/replay/replay.ts";
import { fromBase64 } from "../../../../src/platform/encoding.ts";
import { textDocument } from "../../../../src/psp-check/basis.ts";
import { chain, headOf, KEYS, makeParts } from "./made-archive.ts";

let text: string;
beforeAll(async () => {
  const { records, last, documents } = await makeParts();
  const [record = "", ...after] = records;
  text = writeProof({ record, after, head: headOf(last), keys: KEYS, documents });
});

test("a record is in a signed chain, and its answer comes out again", async () => {
  expect(isProof(text)).toBe(true);
  for (const keys of [KEYS, null])
    expect(await verifyProof(text, keys)).toMatchObject({
      ...{ ok: true, kid: "20261101T000000Z", record: { seq: 41, psp: "PSDXX-TEST-000001" } },
      replay: { ok: true, equal: true, compared: "answer" },
    });
  expect(await verifyProof(text, [])).toMatchObject({ ok: false });
});

test("a head of another institution proves nothing", async () => {
  const { records, last, documents } = await makeParts();
  const [record = "", ...after] = records;
  const foreign = writeProof({ record, after, head: headOf(last, "PSDXX-TEST-FI0002"), keys: KEYS, documents });
  expect(await verifyProof(foreign, KEYS)).toMatchObject({ reason: "the head is of another institution" });
});

test.each<[string, (last: ChainEnd) => ChainEnd]>([
  [
    "another record of this number, as of a ledger before it was restored",
    ({ seq }) => ({ seq, hash: "0".repeat(64) }),
  ],
  ["another number", ({ seq, hash }) => ({ seq: seq + 1, hash })],
])("a head of %s proves nothing", async (_, change) => {
  const { records, last, documents } = await makeParts();
  const [record = "", ...after] = records;
  const other = writeProof({ record, after, head: headOf(change(last)), keys: KEYS, documents });
  expect(await verifyProof(other, KEYS)).toMatchObject({
    reason: "the head is not of the last record: a record was altered, removed or added",
  });
});

test.each(["{", "[]", "null", '{"seq":41}', '{"seq":41,"prev":"0"}', '{"seq":4.1,"prev":"0","checks":[]}'])(
  "%s is no record",
  async (record) => {
    const { last, documents } = await makeParts();
    const proof = writeProof({ record, after: [], head: headOf(last), keys: KEYS, documents });
    expect(await verifyProof(proof, KEYS)).toMatchObject({ reason: expect.stringMatching(/^the record is none/) });
  },
);

/** What the answer of the record rests on; the other documents are those of the records after it. */
async function listOwnDocuments(): Promise<string[]> {
  const proof = JSON.parse(text);
  const read = new Set<string>();
  await replay(JSON.parse(proof.record), async (sha256) => {
    read.add(sha256);
    return fromBase64(proof.documents[sha256] ?? "");
  });
  return [...read];
}

test("a character altered is found: in the record, those after it, the head, or what the answer rests on", async () => {
  const own = await listOwnDocuments();
  expect(own.length).toBeGreaterThan(5);
  const places = ["record", "hash", "head", "after 0", "after 2", ...own.map((sha256) => `documents ${sha256}`)];
  // the last characters of base64 may hold bits that stand for nothing
  const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), share, async (place, at) => {
      const proof = JSON.parse(text);
      const [part = "", name] = place.split(" ");
      const [holder, key] = name === undefined ? [proof, part] : [proof[part], name];
      const whole: string = holder[key];
      const index = Math.floor(at * (whole.length - 4));
      holder[key] = `${whole.slice(0, index)}${whole[index] === "1" ? "2" : "1"}${whole.slice(index + 1)}`;
      const verdict = await verifyProof(JSON.stringify(proof), KEYS);
      expect([place, index, verdict.ok && verdict.replay.ok]).toEqual([place, index, false]);
    }),
    { numRuns: 100 },
  );
});

test("a stranger's file is not proven, whatever its signer has put into it", async () => {
  const hostile = textDocument('{"form":1}');
  const { record } = JSON.parse(text);
  const { seq: _, prev: __, ...entry } = JSON.parse(record);
  const { records, last } = chain([{ ...entry, checks: [{ ...entry.checks[0], basis: hostile.sha256 }] }]);
  const documents = new Map([[hostile.sha256, hostile.bytes()]]);
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const file = join(mkdtempSync(join(tmpdir(), "psp-gate-proof-")), "hostile.json");
  try {
    writeFileSync(file, writeProof({ record: records[0] ?? "", after: [], head: headOf(last), keys: KEYS, documents }));
    expect(await runCommand(["evidence", "verify", file])).toBe(1);
    expect(written.mock.calls.join()).toContain("not proven: it is not as this service writes it");
  } finally {
    vi.restoreAllMocks();
    process.exitCode = 0;
    rmSync(join(file, ".."), { recursive: true });
  }
});

test("evidence verify takes it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "psp-gate-proof-"));
  const written: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void written.push(line));
  vi.spyOn(console, "error").mockImplementation((line) => void written.push(line));
  try {
    const [whole, cut, keys] = ["whole.json", "cut.json", "keys.json"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(whole, text);
    writeFileSync(cut, JSON.stringify({ ...JSON.parse(text), after: [] }));
    writeFileSync(keys, JSON.stringify({ keys: KEYS }));
    expect(await runCommand(["evidence", "verify", whole, "--keys", keys, "--no-json"])).toBe(0);
    expect(await runCommand(["evidence", "verify", whole, "--no-json"])).toBe(0);
    expect(await runCommand(["evidence", "verify", cut, "--keys", keys])).toBe(1);
    const said = written.join("\n");
    for (const words of [
      "proven: record 41 of PSDXX-TEST-FI0001",
      "by the proof's own keys",
      "not proven: the head is not of the last record",
    ])
      expect(said).toContain(words);
  } finally {
    vi.restoreAllMocks();
    process.exitCode = 0;
    rmSync(folder, { recursive: true });
  }
});
