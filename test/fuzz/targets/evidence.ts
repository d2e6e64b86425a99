/** Evidence that anybody can hand in: heads, archives, proofs, saved exchanges, bundles. */
import { MANIFEST, parseManifest, writeManifest } from "../../../src/evidence/archive/manifest.ts";
import { verifyArchive } from "../../../src/evidence/archive/verify-archive.ts";
import { verifyRecords } from "../../../src/evidence/archive/verify-records.ts";
import { type Files, readZip, writeZip } from "../../../src/evidence/archive/zip-file.ts";
import { decodeBundle, encodeBundle } from "../../../src/evidence/ledger/document-bundle.ts";
import { verifyHead } from "../../../src/evidence/ledger/head.ts";
import { parseSavedExchange } from "../../../src/evidence/signatures/saved-exchange.ts";
import { verifyExchange } from "../../../src/evidence/signatures/verify-exchange.ts";
import { sameBytes } from "../../../src/platform/encoding.ts";
import { hashText } from "../../../src/platform/node-crypto.ts";
import { type Corpus, decode } from "../corpus.ts";
import { fromLatin1, must, type Target, toBytes, toLatin1, toText } from "../target.ts";

const NOW = Date.parse("2026-11-24T12:00:00Z");

export function evidenceTargets({ archive, proven, archiveKeys, exchange }: Corpus): Target[] {
  const whole = decode(archive);
  const zip = readZip(whole);
  must(zip.ok, "the archive cannot be read");
  const { files } = zip;
  const chosen = readZip(decode(proven));
  must(chosen.ok, "the archive of chosen records cannot be read");
  const head = toText(files.get("heads.jsonl") ?? new Uint8Array()).trimEnd();
  return [
    {
      ...{
        name: "head",
        form: "text",
        stepsPerByte: 100,
        share: 2,
        corpus: [head, "e30.e30.e30"].map(fromLatin1),
        words: ["bnVsbA", ".", "W10", "="],
      },
      check: (input) => {
        const verdict = verifyHead(toLatin1(input), archiveKeys);
        must(!verdict.ok || toLatin1(input) === head, "a head that nobody signed is believed");
      },
    },
    {
      ...{ name: "archive", form: "bytes", stepsPerByte: 20, maxBytes: whole.length + 4_096, corpus: [whole] },
      words: ["PK\x03\x04", "PK\x01\x02", "manifest.json", "../x"],
      check: async (input) => {
        const read = readZip(input);
        if (read.ok) must(sameBytes(writeZip(read.files), input), "what is accepted does not encode to itself");
        for (const keys of [archiveKeys, null]) {
          const verdict = read.ok && (await verifyArchive(read.files, keys, NOW));
          must(!(verdict ? verdict.ok : false) || sameBytes(input, whole), "an archive that was changed verifies");
        }
      },
    },
    {
      ...{ name: "archive-file", form: "json", stepsPerByte: 400, maxBytes: 32 * 1024 },
      corpus: ["manifest.json", "manifest-signature.json", "keys.json", "records.jsonl", "heads.jsonl"].map((name) =>
        toBytes(`${name}\n${toText(files.get(name) ?? new Uint8Array())}`),
      ),
      words: ['"kid"', '"x"', '"missing":[]', '"seq"'],
      // with a manifest that fits, so that what stands behind it is reached
      check: (input) => checkFile(files, input),
    },
    {
      ...{
        name: "archive-keys",
        form: "json",
        stepsPerByte: 400,
        corpus: [files.get("keys.json") ?? new Uint8Array()],
        words: ['"kid"', '"x"', '"crv"', "Ed25519"],
      },
      check: (input) => checkFile(files, toBytes(`keys.json\n${toText(input)}`)),
    },
    {
      ...{ name: "proven-records", form: "json", stepsPerByte: 400, maxBytes: 32 * 1024 },
      corpus: ["records.jsonl", "proofs.jsonl", "keys.json"].map((name) =>
        toBytes(`${name}\n${toText(chosen.files.get(name) ?? new Uint8Array())}`),
      ),
      words: ['"path":[]', '"head"', '"seq"', '"first"'],
      check: async (input) => {
        const changed = replaceFile(chosen.files, input);
        const verdict = await verifyRecords(changed, archiveKeys);
        const same = ["records.jsonl", "proofs.jsonl"].every((name) =>
          sameBytes(changed.get(name) ?? new Uint8Array(), chosen.files.get(name) ?? new Uint8Array()),
        );
        must(!verdict.ok || same, "records that were changed verify");
        await verifyRecords(changed, null);
      },
    },
    {
      ...{ name: "saved-exchange", form: "json", stepsPerByte: 300, share: 2 },
      corpus: [
        fromLatin1(exchange.text),
        toBytes(
          JSON.stringify({
            request: { method: "GET", url: "https://a.example/v1?b=c", headers: { version: "latest" } },
            response: { status: 200, headers: { signature: "psp-gate=:AA==:" }, body: "{}" },
          }),
        ),
      ],
      words: [
        "HTTP/1.1 200 OK\r\n",
        "CONNECT a:1 HTTP/1.1\r\n",
        "\r\n\r\n",
        "> ",
        "signature: ",
        "signature-input: a=();created=1",
      ],
      check: async (input) => {
        const saved = parseSavedExchange(input);
        parseSavedExchange(input, input);
        if (!saved.ok) return must(saved.reason !== "", "a refusal without a reason");
        const verdict = await verifyExchange(saved, exchange.keys, Date.parse("2026-06-10T12:00:00Z"));
        const made = parseSavedExchange(fromLatin1(exchange.text));
        must(
          !verdict.ok || (made.ok && sameBytes(saved.answer.content, made.answer.content)),
          "an answer that was changed verifies",
        );
      },
    },
    {
      ...{
        name: "bundle",
        form: "json",
        stepsPerByte: 200,
        corpus: [toBytes(JSON.stringify({ parts: 1, documents: {} }))],
      },
      check: async (input) => {
        const line = toText(input).replaceAll("\n", " ");
        const bundle = await decodeBundle(
          new Uint8Array(toBytes(`${line}\n${JSON.stringify(hashText("sha256", line))}\n`)),
        );
        const again = bundle && (await decodeBundle(await encodeBundle(bundle)));
        must(
          again?.parts === bundle?.parts && again?.documents.size === bundle?.documents.size,
          "what is accepted does not encode to itself",
        );
        await decodeBundle(new Uint8Array(input));
      },
    },
  ];
}

const nameIn = (text: string): string => text.slice(0, text.indexOf("\n"));

/** `NAME\nCONTENT` in the place of one file of the archive. */
function replaceFile(files: Files, input: Uint8Array): Map<string, Uint8Array> {
  const text = toText(input);
  const name = nameIn(text);
  const changed = new Map(files);
  if (changed.has(name)) changed.set(name, toBytes(text.slice(name.length + 1)));
  return changed;
}

async function checkFile(files: Files, input: Uint8Array): Promise<void> {
  const name = nameIn(toText(input));
  const changed = replaceFile(files, input);
  const manifest = parseManifest(toText(changed.get(MANIFEST) ?? new Uint8Array()));
  if (manifest && name !== MANIFEST) {
    const { form: _, files: __, ...about } = manifest;
    const listed = new Map([...changed].filter(([each]) => !each.startsWith("manifest")));
    changed.set(MANIFEST, toBytes(writeManifest(about, listed)));
  }
  const verdict = await verifyArchive(changed, null, NOW);
  const same = sameBytes(changed.get(name) ?? new Uint8Array(), files.get(name) ?? new Uint8Array());
  must(!verdict.ok || same, "an archive that was changed verifies");
}
