/** Chosen records in an archive: what it proves, that it shows nothing of others, and that whatever of it is altered is found. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runCommand } from "../../../../src/cli/program.ts";
import { DOCUMENTS, KEYS as KEYS_FILE, PROOFS, README, RECORDS } from "../../../../src/evidence/archive/form.ts";
import { verifyRecords } from "../../../../src/evidence/archive/verify-records.ts";
import { type Files, readZip, writeZip } from "../../../../src/evidence/archive/zip-file.ts";
import { hashRecord } from "../../../../src/evidence/ledger/chain.ts";
import type { LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import type { RecordProof } from "../../../../src/evidence/ledger/record-proofs.ts";
import { concatenate } from "../../../../src/platform/encoding.ts";
import { textDocument } from "../../../../src/psp-check/basis.ts";
import { findTool } from "../../../tools.ts";
import { chain, headOf, KEYS, makeParts, makeProven, type Parts } from "./made-archive.ts";

const utf8 = new TextEncoder();

function filesOf(archive: Uint8Array): Map<string, Uint8Array> {
  const read = readZip(archive);
  if (!read.ok) throw new Error(read.reason);
  return new Map(read.files);
}
const textOf = (files: Files, name: string): string => new TextDecoder().decode(files.get(name));
const linesOf = (files: Files, name: string): string[] => textOf(files, name).split("\n").slice(0, -1);
const lines = (texts: readonly string[]): Uint8Array => utf8.encode(texts.map((text) => `${text}\n`).join(""));
const reasonOf = async (files: Files, keys: typeof KEYS | null = KEYS): Promise<string> => {
  const verdict = await verifyRecords(files, keys);
  return verdict.ok ? "proven" : verdict.reason;
};

const CHOSEN = [2, 0];
let parts: Parts;
let archive: Uint8Array;
let files: Files;
beforeAll(async () => {
  parts = await makeParts();
  archive = await makeProven(parts, CHOSEN);
  files = filesOf(archive);
});

test("each chosen record is in a signed tree, and its answer comes out again", async () => {
  for (const keys of [KEYS, null])
    expect(await verifyRecords(files, keys)).toMatchObject({
      ...{ ok: true, records: [{ seq: 43 }, { seq: 41, psp: "PSDXX-TEST-000001" }] },
      ...{ heads: [{ seq: 44, first: 41, kid: "20261101T000000Z" }], replays: { equal: 2, compared: { answer: 2 } } },
    });
  expect(await reasonOf(files, [])).toContain("not among the given keys");
});

test("nothing of the other records is in it, nor what only they rest on", async () => {
  const [, second = "", , fourth = ""] = parts.records;
  const whole = new TextDecoder("latin1").decode(archive);
  for (const text of [second, fourth]) {
    const { answer, checks } = JSON.parse(text) as LedgerRecord;
    const named = [answer, ...checks.map(({ basis }) => basis)].filter((sha256) => sha256 !== null);
    expect(named).toHaveLength(2);
    for (const part of [text, ...named]) expect(whole).not.toContain(part);
  }
  const names = [...files.keys()].filter((name) => name.startsWith(DOCUMENTS));
  expect(names.length).toBeGreaterThan(5);
  expect(names.length).toBeLessThan(parts.documents.size);
});

test("a record that is alone in its tree needs no way to its root", async () => {
  const { seq: _, prev: __, ...entry } = JSON.parse(parts.records[0] ?? "");
  const { records, last } = chain([entry]);
  const one = filesOf(await makeProven({ ...parts, records, last }, [0]));
  expect(JSON.parse(textOf(one, PROOFS))).toMatchObject({ path: [] });
  expect(await reasonOf(one)).toBe("proven");
});

describe("what proves nothing:", () => {
  const altered = (name: string, content: Uint8Array | string): Files =>
    new Map([...files, [name, typeof content === "string" ? utf8.encode(content) : content]]);
  const without = (name: string): Files => new Map([...files].filter(([other]) => other !== name));
  const changed = (name: string, change: (texts: string[]) => string[]): Files =>
    altered(name, lines(change(linesOf(files, name))));
  const proofs = (change: (proof: RecordProof) => object): Files =>
    changed(PROOFS, (texts) => texts.map((text) => JSON.stringify(change(JSON.parse(text)))));

  test.each<[string, () => Files, string]>([
    ["no record", () => altered(RECORDS, ""), "records.jsonl has no record"],
    ["without proofs of all", () => changed(PROOFS, (texts) => texts.slice(1)), "has not one line for each record"],
    ["proofs of each other's", () => changed(PROOFS, (texts) => texts.toReversed()), "is not in the tree"],
    [
      "a record twice",
      () =>
        new Map([...changed(RECORDS, ([a = ""]) => [a, a]), [PROOFS, lines(Array(2).fill(linesOf(files, PROOFS)[0]))]]),
      "has record 43 twice",
    ],
    [
      "a record's text in another spelling",
      () => changed(RECORDS, ([a = "", b = ""]) => [a, b.replace("}", " }")]),
      "record 41 is not in the tree",
    ],
    ["no record's text", () => changed(RECORDS, ([a = ""]) => [a, "{}"]), "line 2 is no record"],
    [
      "a record without a number",
      () => changed(RECORDS, ([a = "", b = ""]) => [a, b.replace('"seq":41', '"seq":"41"')]),
      "line 2 is no record",
    ],
    [
      "a record of no time",
      () => changed(RECORDS, ([a = "", b = ""]) => [a, b.replace(/"time":"[^"]+"/, '"time":"noon"')]),
      "line 2 is no record",
    ],
    ["a line of no proof", () => proofs(({ head }) => ({ head })), "line 1 is not a head and a way"],
    ["a way of no hashes", () => proofs((proof) => ({ ...proof, path: ["00"] })), "line 1 is not a head and a way"],
    [
      "a longer way",
      () => proofs((proof) => ({ ...proof, path: [...proof.path, hashRecord("more")] })),
      "is not in the tree",
    ],
    [
      "a head that was altered",
      () => proofs((proof) => ({ ...proof, head: proof.head.replace(".", ".e") })),
      "it was altered",
    ],
    [
      "a head of another institution",
      () => proofs((proof) => ({ ...proof, head: headOf(parts.last, "PSDXX-TEST-FI0002") })),
      "its head of PSDXX-TEST-FI0002",
    ],
    [
      "a head of another tree",
      () => proofs((proof) => ({ ...proof, head: headOf({ seq: 43, hash: hashRecord("43") }) })),
      "is not in the tree",
    ],
    ...[RECORDS, PROOFS].flatMap((name): [string, () => Files, string][] => {
      const around = (before: string, after: Uint8Array) => () =>
        altered(name, concatenate([utf8.encode(before), files.get(name) ?? new Uint8Array(), after]));
      return [
        [`${name} with a last line that does not end`, around("", utf8.encode('{"seq":9}')), `${name} is not of lines`],
        [`${name} with a mark before it`, around("\uFEFF", new Uint8Array()), `${name}: line 1 is no`],
        [`${name} with a byte that is no text`, around("", Uint8Array.of(0xff, 10)), `${name} is not of lines`],
      ];
    }),
    ["a file beside", () => altered("note.txt", "trust me"), "note.txt has no place in an archive of this form"],
    ["a document of no record", () => altered(`${DOCUMENTS}${hashRecord("{}")}`, "{}"), "belongs to no record"],
    ["keys of another", () => altered(KEYS_FILE, '{"keys":[]}'), "not among the given keys"],
  ])("%s", async (name, make, reason) => {
    expect(await reasonOf(make(), name === "keys of another" ? null : KEYS)).toContain(reason);
  });

  test("a document that is not what its name says", async () => {
    const name = [...files.keys()].find((each) => each.startsWith(DOCUMENTS)) ?? "";
    expect(await reasonOf(altered(name, "another"))).toContain("it was altered");
    // one that is not there is missing to its answer alone
    expect(await verifyRecords(without(name), KEYS)).toMatchObject({ ok: true, replays: { equal: 1 } });
  });

  test("a byte altered anywhere but in the README, which proves nothing", async () => {
    const names = [...files.keys()].filter((name) => name !== README && name !== KEYS_FILE);
    const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), share, async (name, at) => {
        const content = files.get(name) ?? new Uint8Array();
        const place = Math.floor(at * content.length);
        const other = altered(name, content.with(place, (content[place] ?? 0) ^ 1));
        expect([name, place, await reasonOf(other)]).not.toContain("proven");
      }),
      { numRuns: 100 },
    );
  });
});

test("a stranger's file is not proven, whatever its signer has put into it", async () => {
  const hostile = textDocument('{"form":1}');
  const { seq: _, prev: __, ...entry } = JSON.parse(parts.records[0] ?? "");
  const { records, last } = chain([{ ...entry, checks: [{ ...entry.checks[0], basis: hostile.sha256 }] }]);
  const keys = utf8.encode(JSON.stringify({ keys: KEYS }));
  const forged = writeZip(
    new Map([
      [RECORDS, lines(records)],
      [PROOFS, lines([JSON.stringify({ head: headOf(last), path: [] })])],
      [KEYS_FILE, keys],
      [`${DOCUMENTS}${hostile.sha256}`, hostile.bytes()],
    ]),
  );
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const file = join(mkdtempSync(join(tmpdir(), "psp-gate-proof-")), "hostile.zip");
  try {
    writeFileSync(file, forged);
    expect(await runCommand(["evidence", "verify", file])).toBe(1);
    expect(written.mock.calls.join()).toContain("not proven: it is not as this service writes it");
  } finally {
    vi.restoreAllMocks();
    process.exitCode = 0;
    rmSync(join(file, ".."), { recursive: true });
  }
});

test("evidence verify takes it, and says what is not shown", async () => {
  const folder = mkdtempSync(join(tmpdir(), "psp-gate-proof-"));
  const written: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void written.push(line));
  vi.spyOn(console, "error").mockImplementation((line) => void written.push(line));
  try {
    const [whole = "", forged = "", keys = ""] = ["whole.zip", "forged.zip", "keys.json"].map((name) =>
      join(folder, name),
    );
    writeFileSync(whole, archive);
    writeFileSync(forged, writeZip(new Map([...files, [PROOFS, lines(linesOf(files, PROOFS).toReversed())]])));
    writeFileSync(keys, JSON.stringify({ keys: KEYS }));
    expect(await runCommand(["evidence", "verify", whole, "--keys", keys, "--no-json"])).toBe(0);
    expect(await runCommand(["evidence", "verify", whole, "--no-json"])).toBe(0);
    expect(await runCommand(["evidence", "verify", forged, "--keys", keys])).toBe(1);
    const said = written.join("\n");
    for (const words of [
      "each of 2 records of PSDXX-TEST-FI0001 is unaltered, in a head signed by the key 20261101T000000Z",
      "that no other record belongs to them is not shown",
      "README.txt and keys.json are not proven",
      "by the archive's own keys",
      "made again: 2 equal",
      "not proven: record 43 is not in the tree",
    ])
      expect(said).toContain(words);
  } finally {
    vi.restoreAllMocks();
    process.exitCode = 0;
    rmSync(folder, { recursive: true });
  }
});

test("its README says what could not be had", async () => {
  const noted = filesOf(await makeProven(parts, [1], { notes: ["Cannot be read: records 1 to 3."] }));
  expect(textOf(noted, README)).toContain("\nCannot be read: records 1 to 3.\n");
});

const OPENSSL = findTool("openssl");
test.runIf(OPENSSL)("a record is checked by hand, as its README says", () => {
  const folder = mkdtempSync(join(tmpdir(), "psp-gate-proof-"));
  const run = (command: string) =>
    spawnSync("bash", ["-euo", "pipefail", "-c", command], { cwd: folder, encoding: "utf8" });
  try {
    for (const name of [RECORDS, PROOFS]) writeFileSync(join(folder, name), files.get(name) ?? "");
    const readme = textOf(files, README);
    const [walk = ""] = /^ {5}N=1;[\s\S]*?echo \$H$/m.exec(readme) ?? [];
    const [signature = ""] = /^ {5}field "\$P" head[\s\S]*?-sigfile signature\.bin$/m.exec(readme) ?? [];
    for (const n of [1, 2]) {
      const { stdout, stderr } = run(walk.replace("N=1", `N=${n}`));
      const [head = "", root] = stdout.trim().split("\n");
      expect([stderr, root]).toEqual(["", JSON.parse(head).root]);
    }
    const x = KEYS[0]?.x ?? "";
    const command = signature.replaceAll(/^ {3}The signature.*$/gm, "").replaceAll("$X", x);
    expect(run(`${walk}\n${command}`).stdout).toContain("Signature Verified Successfully");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
