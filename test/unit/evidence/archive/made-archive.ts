/** An archive of four answers over the sandbox, as the command makes it, and the service that signs it. */
import { fillArchive } from "../../../../src/evidence/archive/archive.ts";
import type { Manifest, MissingRecords } from "../../../../src/evidence/archive/manifest.ts";
import { acceptSignature, SIGNED_PATH, writeSignature } from "../../../../src/evidence/archive/manifest.ts";
import { writeRecords } from "../../../../src/evidence/archive/proven-records.ts";
import { CHAIN_START, type ChainEnd, chainText, hashRecord } from "../../../../src/evidence/ledger/chain.ts";
import { signHead } from "../../../../src/evidence/ledger/head.ts";
import type { LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import { findPath, growTree, rootOf, type TreeEnd } from "../../../../src/evidence/ledger/record-tree.ts";
import { signAnswer } from "../../../../src/evidence/signatures/answer-signature.ts";
import { publishKeys } from "../../../../src/evidence/signatures/signing-keys.ts";
import { loadSandbox, NOW, record } from "../replay/recorded.ts";
import { makeSigner } from "../signatures/signed-exchange.ts";

export const FI = "PSDXX-TEST-FI0001";
const DAY_MS = 86_400_000;
/** After the last check. */
export const SIGNED_AT = NOW + DAY_MS;
const { signer, named } = makeSigner("20261101T000000Z", Date.parse("2026-11-01T00:00:00Z") / 1000);
export const KEYS = publishKeys([named]);

const ASKED = [
  { name: "scenario-1", jurisdiction: "XX" },
  { name: "scenario-5", jurisdiction: "XX", version: "1" },
  { name: "scenario-9", jurisdiction: "XY" },
  { name: "unlisted-qtsp", jurisdiction: "XX" },
] as const;

export interface Parts {
  readonly before: ChainEnd;
  readonly records: string[];
  readonly last: ChainEnd | TreeEnd;
  readonly heads: string[];
  readonly documents: Map<string, Uint8Array>;
  readonly missing?: readonly MissingRecords[];
  /** In the archive, in the place of the service's. */
  readonly keys?: typeof KEYS;
}

/** The chain of the records' texts; its end has the tree of them all. */
export function chain(entries: readonly Omit<LedgerRecord, "seq" | "prev">[], before = CHAIN_START) {
  let last: ChainEnd = before;
  const records = entries.map((entry) => {
    const text = chainText(entry, last);
    last = { seq: last.seq + 1, hash: hashRecord(text) };
    return text;
  });
  const tree = { first: before.seq + 1, root: rootOf(growTree(records.map(hashRecord))) };
  return { before, records, last: { ...last, ...tree } };
}

/** Without a tree that of the last record alone. */
export const headOf = (end: ChainEnd | TreeEnd, fi = FI, time = SIGNED_AT): string =>
  signHead(
    { first: end.seq, root: rootOf(growTree([end.hash])), ...end, fi, time: new Date(time).toISOString() },
    signer,
  );

export async function makeParts(): Promise<Parts> {
  const kv = await loadSandbox();
  const recorded = [];
  for (const asked of ASKED) recorded.push(await record(kv, asked));
  const entries = recorded.map(({ record: { seq: _, prev: __, ...entry } }) => entry);
  const chained = chain(entries, { seq: 40, hash: hashRecord("the record before") });
  const documents = new Map(recorded.flatMap((each) => [...each.documents]));
  // what the isolate keeps beside: a path's certificates, which no basis names
  const needed =
    JSON.stringify(recorded) + [...documents.values()].map((bytes) => new TextDecoder().decode(bytes)).join();
  for (const sha256 of documents.keys()) if (!needed.includes(sha256)) documents.delete(sha256);
  return { ...chained, heads: [headOf(chained.last)], documents };
}

const iso = (time: number): string => new Date(time).toISOString();
const ABOUT: Pick<Manifest, "fi" | "release" | "made_at" | "from" | "to"> = {
  ...{ fi: FI, release: "0.4.0", made_at: iso(SIGNED_AT), from: iso(NOW), to: iso(SIGNED_AT) },
};

/** The service's answer to the request for a head, with the digest of a manifest in its signature. */
export function signManifest(manifest: string, fi = FI): string {
  const sent = { fi_reference_id: fi, version: "latest" };
  const headers = { ...sent, "Accept-Signature": acceptSignature(manifest) };
  const request = new Request(`https://gate.bank.example${SIGNED_PATH}`, { headers });
  const given = { "content-type": "application/json", "x-evidence-id": "0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ" };
  const body = '{"data":{"seq":44}}';
  const content = new TextEncoder().encode(body);
  const signed = signAnswer({ request, status: 200, headers: new Headers(given), content }, signer, SIGNED_AT);
  const answered = new Headers({ ...given, ...signed });
  return writeSignature({
    sent: (name) => sent[name as keyof typeof sent],
    answered: (name) => answered.get(name) ?? "",
    ...{ status: 200, body },
  });
}

/** With everything signed as it should be. `range`: what was asked for, if it is not the day of the checks. */
export function makeArchive(parts: Parts, range: Partial<Pick<Manifest, "from" | "to">> = {}): Buffer {
  const archive = fillArchive({ about: { ...ABOUT, ...range }, keys: KEYS, ...parts });
  return archive.close(signManifest(archive.manifest));
}

/** Proves these of the chain's records, by their places. */
export async function makeProven(
  { records, last, documents }: Parts,
  chosen: readonly number[],
  { head = headOf(last), notes = [] as string[] } = {},
): Promise<Uint8Array> {
  const rows = growTree(records.map(hashRecord));
  const proven = chosen.map((i) => ({ text: records[i] ?? "", proof: { head, path: findPath(rows, i) } }));
  const archive = writeRecords({
    about: { fi: FI, release: "0.4.0", made_at: "2026-11-28T12:00:00.000Z" },
    records: (async function* () {
      yield* proven;
    })(),
    notes,
    keys: KEYS,
    open: () => async (sha256) => documents.get(sha256) ?? null,
  });
  const written: Uint8Array[] = [];
  for await (const part of archive) written.push(part);
  return Buffer.concat(written);
}
