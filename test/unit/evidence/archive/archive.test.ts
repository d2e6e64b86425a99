/** An archive proves what it has, by itself; and whatever of it is altered is found. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { gatherDocuments } from "../../../../src/cli/evidence/archive.ts";
import type { AuditService, Gap } from "../../../../src/cli/evidence/audit-service.ts";
import { gatherChain } from "../../../../src/cli/evidence/chain.ts";
import { DOCUMENTS, HEADS, RECORDS } from "../../../../src/evidence/archive/form.ts";
import {
  LATE_MS,
  MANIFEST,
  parseManifest,
  SIGNATURE,
  writeManifest,
} from "../../../../src/evidence/archive/manifest.ts";
import { verifyArchive } from "../../../../src/evidence/archive/verify-archive.ts";
import { type Files, readZip, writeZip } from "../../../../src/evidence/archive/zip-file.ts";
import { hashRecord } from "../../../../src/evidence/ledger/chain.ts";
import { verifyHead } from "../../../../src/evidence/ledger/head.ts";
import { publishKeys } from "../../../../src/evidence/signatures/signing-keys.ts";
import { findTool } from "../../../tools.ts";
import { makeSigner } from "../signatures/signed-exchange.ts";
import {
  chain,
  FI,
  headOf,
  KEYS,
  makeArchive,
  makeParts,
  type Parts,
  SIGNED_AT,
  signManifest,
} from "./made-archive.ts";

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

const verify = async (bytes: Uint8Array, keys: typeof KEYS | null = KEYS) => {
  const zip = readZip(bytes);
  return zip.ok ? await verifyArchive(zip.files, keys, SIGNED_AT) : zip;
};
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
      replays: {
        ...{ equal: 4, different: [], incomplete: [] },
        compared: { answer: 4, results: 0, checks: 0, nothing: 0 },
      },
    });
});

test("says by what the equal ones were compared: of some there is nothing to compare", async () => {
  const entries = parts.records.map((text) => JSON.parse(text.replace(/^\{"seq":\d+,"prev":"\w+",/, "{")));
  const [first, second] = entries;
  const refused = { ...second, answer: null, checks: [], outcome: "certificate_unreadable" };
  const chained = chain([first, refused, { ...first, event: "code.issue", answer: null }], parts.before);
  const { answer, checks } = first;
  const named = [answer, ...JSON.stringify(checks).matchAll(/[0-9a-f]{64}/g)].map(String);
  const basis = new TextDecoder().decode(parts.documents.get(checks[0].basis));
  const documents = new Map(
    [...parts.documents].filter(([sha256]) => named.includes(sha256) || basis.includes(sha256)),
  );
  const made = makeArchive({ ...chained, heads: [headOf(chained.last)], documents });
  expect(await verify(made)).toMatchObject({
    replays: { equal: 3, compared: { answer: 1, results: 0, checks: 1, nothing: 1 } },
  });
});

test("a head is of its key's time, but for the minutes by which the clock that named the key may be ahead", () => {
  const made = Date.UTC(2026, 10, 1);
  const at = (time: number) => verifyHead(headOf(parts.last, FI, time), KEYS).ok;
  expect([made - 300_001, made - 300_000, made].map(at)).toEqual([false, true, true]);
});

describe("of which time no record is left out", () => {
  const wholeOf = async (bytes: Uint8Array) => {
    const verdict = await verify(bytes);
    return verdict.ok ? verdict.whole : verdict.reason;
  };
  const day = (number: number, hour = 0) => Date.UTC(2026, 10, number, hour);
  const iso = (time: number) => new Date(time).toISOString();
  const range = (from: number, to: number) => ({ from: iso(from), to: iso(to) });
  /** A check at noon of each day from 2 to 6 November, and the head of the end at 13:00. */
  const ledger = () => {
    const [entry] = parts.records.map((text) => JSON.parse(text.replace(/^\{"seq":\d+,"prev":"\w+",/, "{")));
    const days = [2, 3, 4, 5, 6];
    const entries = days.map((number) => ({ ...entry, id: `check of ${number}`, time: iso(day(number, 12)) }));
    const heads = days.map((number, i) => headOf(chain(entries.slice(0, i + 1)).last, FI, day(number, 13)));
    return { ...chain(entries), heads };
  };

  test("is told, not what the manifest says: who may read a ledger can make an archive of any part of it", async () => {
    const { records, heads } = ledger();
    const part = (first: number, last: number, asked: ReturnType<typeof range>) => {
      const texts = records.slice(first - 1, last);
      const before = { seq: first - 1, hash: JSON.parse(texts[0] ?? "").prev };
      const end = { seq: last, hash: hashRecord(texts.at(-1) ?? "") };
      const made = { before, records: texts, last: end, heads: [heads[last - 1] ?? ""], documents: new Map() };
      return wholeOf(makeArchive(made, asked));
    };
    // from the one before to a head that was signed after it
    expect(await part(1, 4, range(day(3), day(5)))).toEqual(range(day(3), day(5)));
    expect(await part(2, 4, range(day(3), day(5)))).toEqual(range(day(3, 12) + LATE_MS, day(5)));
    expect(await part(1, 3, range(day(1), day(5)))).toEqual(range(day(1), day(4, 13) - LATE_MS));
    expect(await part(3, 3, range(day(1), day(30)))).toEqual(range(day(4, 12) + LATE_MS, day(4, 13) - LATE_MS));
  });

  test("not of the minute beside either end: a slow request's record may stand there", async () => {
    const [entry] = parts.records.map((text) => JSON.parse(text.replace(/^\{"seq":\d+,"prev":"\w+",/, "{")));
    const noon = day(3, 12);
    // the second is left out: it was recorded before a request that had come before it
    const times = [noon - 60_000, noon, noon - 5_000, noon + 300_000];
    const { records } = chain(times.map((time) => ({ ...entry, time: iso(time) })));
    const [, , third = "", fourth = ""] = records;
    const before = { seq: 2, hash: JSON.parse(third).prev };
    const last = { seq: 4, hash: hashRecord(fourth) };
    const late = { before, records: [third, fourth], last, heads: [headOf(last, FI, noon + 310_000)] };
    const made = makeArchive({ ...late, documents: new Map() }, range(noon - 2_000, noon + 305_000));
    expect(await wholeOf(made)).toEqual(range(noon - 5_000 + LATE_MS, noon + 310_000 - LATE_MS));
  });

  test("up to when the manifest was signed, if the chain ended there", async () => {
    const until = iso(SIGNED_AT + 86_400_000);
    expect(await wholeOf(makeArchive(parts, { to: until }))).toMatchObject({ to: iso(SIGNED_AT - LATE_MS) });
  });

  test("is all of it in what the command gathers", async () => {
    const { records, heads } = ledger();
    const gather = (from: number, to: number) => gatherChain(serve(records, heads), FI, { from, to }, KEYS);
    const seqs = (texts: readonly { record: { seq: number } }[]) => texts.map(({ record: { seq } }) => seq);
    const cases: [from: number, to: number, seqs: number[]][] = [
      [day(3), day(5), [1, 2, 3, 4]],
      [day(1), day(3, 11), [1, 2]],
      [day(4, 11), day(4, 13) - LATE_MS, [2, 3]],
      // the head of its last record may leave out one that came late
      [day(4, 11), day(4, 13), [2, 3, 4]],
      // nothing comes after it yet
      [day(6), day(9), [4, 5]],
    ];
    for (const [from, to, expected] of cases) {
      const gathered = await gather(from, to);
      expect(seqs(gathered.records)).toEqual(expected);
      const texts = gathered.records.map(({ text }) => text);
      const made = makeArchive(
        { ...gathered, heads: [...gathered.heads], records: texts, documents: new Map() },
        range(from, to),
      );
      expect(await wholeOf(made)).toEqual(range(from, Math.min(to, to === day(9) ? day(6, 13) - LATE_MS : to)));
    }
  });

  test("although a request of before the range was recorded late", async () => {
    const [entry] = parts.records.map((text) => JSON.parse(text.replace(/^\{"seq":\d+,"prev":"\w+",/, "{")));
    const times = [day(3) - 60_000, day(3), day(3) - 1_000, day(3, 1)];
    const { records } = chain(times.map((time) => ({ ...entry, time: iso(time) })));
    const [, second = "", , last = ""] = records;
    const heads = [headOf({ seq: 4, hash: hashRecord(last) }, FI, day(3, 2))];
    expect(JSON.parse(second)).toMatchObject({ seq: 2, time: iso(day(3)) });
    const gathered = await gatherChain(serve(records, heads), FI, { from: day(3), to: day(3, 2) }, KEYS);
    expect([gathered.before.seq, gathered.records.length, gathered.last.seq]).toEqual([0, 4, 4]);
  });

  test.each([0.5, 60, 3_600])("although the ledger's clock was %d s behind that of who answered", async (seconds) => {
    const [entry] = parts.records.map((text) => JSON.parse(text.replace(/^\{"seq":\d+,"prev":"\w+",/, "{")));
    const times = [day(3, 1), day(6, 12)];
    const { records, last } = chain(times.map((time) => ({ ...entry, time: iso(time) })));
    const heads = [headOf(last, FI, day(6, 12) - seconds * 1_000)];
    const gathered = await gatherChain(serve(records, heads), FI, { from: day(3), to: day(4) }, KEYS);
    expect([gathered.records.length, gathered.last.seq]).toEqual([2, 2]);
  });

  describe("a head that verifies by no key", () => {
    const made = Date.UTC(2026, 10, 1);
    const gatherWith = (time: number) => {
      const { records, heads } = ledger();
      const end = { seq: 3, hash: hashRecord(records[2] ?? "") };
      const strange = heads.map((jws, i) => (i === 2 ? headOf(end, FI, time) : jws));
      return gatherChain(serve(records, strange), FI, { from: day(3), to: day(4) }, KEYS);
    };

    test("by a clock that was behind when its key was made, within the tolerance, does not stop the export", async () => {
      const { heads, refusedHeads } = await gatherWith(made - 300_000);
      expect([heads.length, refusedHeads]).toEqual([3, []]);
    });

    test("beyond the tolerance is left out and named, and another one proves its records", async () => {
      const gathered = await gatherWith(made - 301_000);
      expect([gathered.heads.length, gathered.last.seq]).toEqual([2, 4]);
      expect(gathered.refusedHeads).toEqual([
        "a head of the ledger is of 2026-10-31T23:54:59.000Z, when the key 20261101T000000Z did not sign",
      ]);
    });
  });

  describe("records that the service cannot give out", () => {
    const gap = (first: number, last = first, reason: Gap["reason"] = "missing"): Gap => ({
      ...{ first_seq: first, last_seq: last, from: iso(day(first + 1, 12)), to: iso(day(last + 1, 12)), reason },
    });
    async function exportWithout(gaps: readonly Gap[], heads = ledger().heads, from = day(1), to = day(7)) {
      const isThere = (text: string) =>
        !gaps.some(({ first_seq, last_seq }) => JSON.parse(text).seq >= first_seq && JSON.parse(text).seq <= last_seq);
      const service = serve(ledger().records.filter(isThere), heads, undefined, gaps);
      const gathered = await gatherChain(service, FI, { from, to }, KEYS);
      const records = gathered.records.map(({ text }) => text);
      const bytes = makeArchive(
        { ...gathered, heads: [...gathered.heads], records, documents: new Map() },
        range(from, to),
      );
      return {
        gathered,
        bytes,
        seqs: gathered.records.map(({ record: { seq } }) => seq),
        verdict: await verify(bytes),
      };
    }

    test.each<[string, readonly Gap[], number[]]>([
      ["in the middle", [gap(3)], [1, 2, 4, 5]],
      ["two files beside each other", [gap(2), gap(3, 3, "altered")], [1, 4, 5]],
      ["at the beginning", [gap(1, 2)], [3, 4, 5]],
      ["at the end", [gap(5)], [1, 2, 3, 4]],
    ])("%s: the rest is written and proven, what is missing named, and nothing called whole", async (_, gaps, rest) => {
      const { seqs, verdict } = await exportWithout(gaps);
      expect(seqs).toEqual(rest);
      expect(verdict).toMatchObject({ ok: true, records: rest.length, manifest: { missing: gaps } });
    });

    test("leave out what no signed head covers up to them, which is named, too", async () => {
      const heads = ledger().heads.filter((_, i) => i !== 1);
      const { seqs, verdict } = await exportWithout([gap(3)], heads);
      expect(seqs).toEqual([1, 4, 5]);
      expect(verdict).toMatchObject({
        ok: true,
        manifest: { missing: [{ first_seq: 2, last_seq: 2, reason: "unsigned" }, gap(3)] },
      });
    });

    test("are why there is nothing to write, where they are all", async () => {
      await expect(exportWithout([gap(3)], ledger().heads, day(4), day(4, 23))).rejects.toThrow(
        /can be given out; records 3 to 3, .+ are damaged: their file is missing/,
      );
    });

    test("are not hidden: an archive that leaves out records and names none, or fewer, is refused", async () => {
      const { gathered } = await exportWithout([gap(2, 3)]);
      const records = gathered.records.map(({ text }) => text);
      const made = (missing: readonly Gap[]) =>
        makeArchive({ ...gathered, missing, heads: [...gathered.heads], records, documents: new Map() });
      for (const missing of [[], [gap(3)], [gap(2)], [gap(2, 4)]])
        expect(await reasonOf(made(missing))).toContain("is missing");
      expect(await reasonOf(made([gap(2, 3)]))).toBe("proven");
    });

    test("need a signed head before them: a chain up to a gap proves nothing by itself", async () => {
      const { gathered } = await exportWithout([gap(3)]);
      const records = gathered.records.map(({ text }) => text);
      const heads = gathered.heads.filter((_, i) => i !== 1);
      expect(await reasonOf(makeArchive({ ...gathered, heads, records, documents: new Map() }))).toContain(
        "no signed head covers the last 1 of 2 records",
      );
    });
  });

  test("more documents than an archive holds are told before they are asked for", async () => {
    const [text = ""] = parts.records;
    const record = { ...JSON.parse(text), checks: [] };
    const many = Array.from({ length: 65_536 }, (_, i) => ({ record: { ...record, answer: `${i}` }, text, hash: "" }));
    const document = vi.fn(async () => null);
    await expect(gatherDocuments(serve([], [], document), many)).rejects.toThrow("export a shorter time");
    expect(document).not.toHaveBeenCalled();
  });

  test("a document that one record lacks is taken from another, and one that was altered is missing", async () => {
    const listed = parts.records.map((text) => ({ record: JSON.parse(text), text, hash: hashRecord(text) }));
    const answers = listed.map(({ record }) => record.answer as string);
    const [shared = "", altered = ""] = answers;
    const [first, second, ...rest] = listed.map((each, i) => ({
      ...each,
      record: { ...each.record, id: `record ${i}` },
    }));
    if (!first || !second) throw new Error("no records");
    // the same answer: with the second record it could not be kept
    second.record.answer = shared;
    const other = { ...second, record: { ...second.record, id: "another", answer: altered } };
    const service = serve([], [], async (id, sha256) => {
      const bytes = parts.documents.get(sha256) ?? null;
      if (sha256 === shared) return id === second.record.id ? null : bytes;
      return sha256 === altered ? new Uint8Array() : bytes;
    });
    const gathered = await gatherDocuments(service, [first, second, other, ...rest]);
    expect([...gathered.missing]).toEqual([altered]);
    expect(gathered.documents.has(shared)).toBe(true);
  });
});

/** The service's answers over a chain: newest first, with the heads up to the first that covers the newest. */
function serve(
  texts: readonly string[],
  heads: readonly string[],
  document: AuditService["document"] = async () => null,
  gaps: readonly Gap[] = [],
): AuditService {
  const listed = texts.map((text) => ({ record: JSON.parse(text), text, hash: hashRecord(text) })).reverse();
  const seqOf = (jws: string): number => JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString()).seq;
  return {
    ...{ url: "https://gate.bank.example", ask: async () => new Response("{}"), document },
    async *pages({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }, limit = 200) {
      const isMeant = ({ record: { time } }: (typeof listed)[number]) =>
        Date.parse(time) >= from && Date.parse(time) < to;
      const data = listed.filter(isMeant).slice(0, limit);
      const [newest = 0, oldest = 0] = [data[0]?.record.seq, data.at(-1)?.record.seq];
      const covering = heads.findIndex((jws) => seqOf(jws) >= newest);
      const shown = covering < 0 ? heads : heads.slice(0, covering + 1);
      const lost = gaps.filter((gap) => Date.parse(gap.to) >= from && Date.parse(gap.from) < to);
      yield { data, heads: newest === 0 ? [] : shown.filter((jws) => seqOf(jws) >= oldest), gaps: lost };
    },
    record: async () => null,
    keys: async () => [...KEYS],
  };
}

test("other keys than the service's prove nothing", async () => {
  const { named } = makeSigner("20261101T000000Z", Date.parse("2026-11-01T00:00:00Z") / 1000);
  expect(await verify(archive, publishKeys([named]))).toMatchObject({ ok: false });
  expect(await verify(archive, [])).toMatchObject({ reason: expect.stringContaining("not among the given keys") });
});

test("a key in the archive that is none is none of its keys", async () => {
  const parts = await makeParts();
  const [header = "", ...signed] = headOf(parts.last).split(".");
  const { kid: _, ...named } = JSON.parse(Buffer.from(header, "base64url").toString());
  const forged = [Buffer.from(JSON.stringify({ ...named, kid: "other" })).toString("base64url"), ...signed].join(".");
  for (const key of [null, 1, { crv: "Ed25519", kid: "other" }, { ...KEYS[0], kid: "other", x: "AA" }]) {
    const keys = [...KEYS, key] as typeof KEYS;
    const bytes = makeArchive({ ...parts, heads: [forged, ...parts.heads], keys });
    expect(await verify(bytes, null)).toMatchObject({
      reason: expect.stringContaining("which is not among the given keys"),
    });
  }
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
      // a head whose tree has another record proves that one by itself
      [
        { heads: [headOf({ ...parts.last, root: hashRecord("forged") })] },
        /the tree that was signed at .* of records 41 to 44/,
      ],
    ];
    for (const [change, reason] of cases) expect(await reasonOf(makeArchive({ ...parts, ...change }))).toMatch(reason);
  });

  test("a record behind the last line feed, which another program reads", async () => {
    const forged = utf8(`${textOf(RECORDS)}{"seq":45}`);
    expect(await reasonOf(rewriteManifest(new Map([...files, [RECORDS, forged]]), true))).toMatch(/is not of lines/);
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

const PYTHON = findTool("python");

describe.runIf(PYTHON)("checked by hand, as its README says", () => {
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  const run = (command: string) =>
    spawnSync("bash", ["-euo", "pipefail", "-c", command], { cwd: folder, encoding: "utf8" });
  beforeAll(() => {
    writeFileSync(join(folder, "archive.zip"), archive);
    return () => rmSync(folder, { recursive: true });
  });

  test("another program unpacks it: Python's", () => {
    const { status, stderr } = run(`"${PYTHON}" -m zipfile -e archive.zip . && "${PYTHON}" -m zipfile -t archive.zip`);
    expect([status, stderr]).toEqual([0, ""]);
  });

  test("each file by sha256sum", () => {
    const [command = ""] = /^ {5}find .*$/m.exec(textOf("README.txt")) ?? [];
    const lines = run(`mkdir files; cd files; "${PYTHON}" -m zipfile -e ../archive.zip .; ${command}`)
      .stdout.trim()
      .split("\n");
    const digests = Object.fromEntries(lines.map((line) => [line.slice("  ./".length + 64), line.slice(0, 64)]));
    expect(digests).toEqual(parseManifest(textOf(MANIFEST))?.files);
  });

  test("the chain by sha256sum", () => {
    const manifest = parseManifest(textOf(MANIFEST));
    const [command = ""] = /^ {5}H=[\s\S]*echo \$H$/m.exec(textOf("README.txt")) ?? [];
    const walk = () => run(command.replace("PREV_OF_THE_FIRST", manifest?.first.prev ?? "")).stdout;
    expect(walk()).toBe(`${manifest?.last.hash}\n`);
    const lines = textOf(RECORDS).split("\n");
    writeFileSync(join(folder, RECORDS), [lines[0], lines[1]?.replace("ok", "no"), ...lines.slice(2)].join("\n"));
    expect(walk()).toMatch(new RegExp(`^broken: {"seq":43,.*\n${manifest?.last.hash}\n$`));
    writeFileSync(join(folder, RECORDS), textOf(RECORDS));
  });

  test("the head by OpenSSL", () => {
    const readme = textOf("README.txt");
    const [command = ""] = /^ {5}\(printf '302a[\s\S]*signature\.bin$/m.exec(readme) ?? [];
    const { stdout, stderr } = run(`X=${KEYS[0]?.x}\n${command.replaceAll(/^ {5}/gm, "")}`);
    expect([command.split("\n").length, stdout, stderr]).toEqual([4, "Signature Verified Successfully\n", ""]);
    expect(textOf(HEADS).split("\n")).toHaveLength(2);
  });
});
