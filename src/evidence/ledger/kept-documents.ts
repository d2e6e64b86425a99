/**
 * Keeps the documents that records of the ledger are based on in R2 (binding EVIDENCE), after the response: a check never
 * waits for them, and does not fail with them. What a request brings is written together.
 *
 * The object of a certificate holds its DER, and what the first answer of the year alone is based on: a new certificate is
 * two calls, and nothing that a further answer needs travels twice.
 */

import type { Instant } from "../../platform/instant.ts";
import { memoryOf } from "../../platform/memory.ts";
import { callStore, inLanes, LONG_STORE_TIMEOUT_MS } from "../../platform/stores.ts";
import type { KeptDocument } from "../../psp-check/basis.ts";
import { bundleKey, documentKey, encodeBundle, MAX_PART_BYTES, partKey } from "./document-bundle.ts";

/** An account without R2 has no bucket; then nothing is kept. Without records there is nothing that is based on it. */
export interface EvidenceEnv {
  readonly EVIDENCE?: R2Bucket | undefined;
  readonly LEDGER_RECORDS?: string | undefined;
}

/** What one answer alone is based on. */
export interface RestedOn {
  /** See `nameBundle` (document-bundle.ts). */
  readonly name: string;
  /** Of an answer on one certificate: the SHA-256 of its DER. */
  readonly certificate: string | null;
  /** All that the record names, and more: the same for the same name. Called only if they are not kept yet. */
  readonly documents: () => readonly KeptDocument[];
}

/** What one request has brought. */
interface Gathered {
  readonly documents: KeptDocument[];
  /** Leaves, which the isolate did not know as kept. */
  readonly certificates: KeptDocument[];
  readonly answers: RestedOn[];
}

type WaitUntil = Pick<ExecutionContext, "waitUntil">;

/** By key: what this isolate found in the bucket or wrote to it. */
const knownDocuments = memoryOf<true>("keptDocuments");
/** Milliseconds after which a write that never ended, because its request was cancelled, is tried again. */
const WRITE_TIMEOUT_MS = 60_000;
/** The platform allows six connections of a request at once; some remain for what else goes on after the response. */
const MAX_AT_ONCE = 4;

/**
 * Keeps what a request's checks are based on, and what its answer alone is based on, after the response. It never throws;
 * what fails is tried again when a check brings it again.
 */
export function keepEvidence(
  env: EvidenceEnv,
  ctx: WaitUntil,
  { documents = [], answer }: { readonly documents?: readonly KeptDocument[]; readonly answer?: RestedOn },
  now: Instant,
): void {
  const bucket = env.LEDGER_RECORDS === "off" ? undefined : env.EVIDENCE;
  if (!bucket) return;
  for (const document of documents)
    if (document.leaf) gather(bucket, ctx, now, bundleKey(document.sha256, now), "certificates", document);
    else gather(bucket, ctx, now, documentKey(document.sha256, now), "documents", document);
  if (answer) gather(bucket, ctx, now, bundleKey(answer.name, now), "answers", answer);
}

/** Requests of this isolate whose documents are being written. Exported for tests: their stores are emptied after each file. */
export const writing = { requests: 0 };

/** By the request's context. */
const gathering = new WeakMap<WaitUntil, Gathered>();

/** Adds it to what the request brings, unless its key is known. */
function gather<Kind extends keyof Gathered>(
  bucket: R2Bucket,
  ctx: WaitUntil,
  now: Instant,
  key: string,
  kind: Kind,
  piece: Gathered[Kind][number],
): void {
  if (knownDocuments.get(key, now)) return;
  knownDocuments.set(key, true, now + WRITE_TIMEOUT_MS, now);
  let gathered = gathering.get(ctx);
  if (!gathered) {
    gathered = { documents: [], certificates: [], answers: [] };
    gathering.set(ctx, gathered);
    ctx.waitUntil(writeGathered(bucket, ctx, gathered, now));
  }
  const list: Gathered[Kind][number][] = gathered[kind];
  list.push(piece);
}

/** Logs what could not be written: the next check that brings it tries again. */
async function writeGathered(bucket: R2Bucket, ctx: WaitUntil, gathered: Gathered, now: Instant): Promise<void> {
  writing.requests++;
  const failures: string[] = [];
  // the response goes first: then what it says is known, too
  await scheduler.wait(0);
  gathering.delete(ctx);
  await inLanes(MAX_AT_ONCE, listWrites(bucket, gathered, now).values(), async ({ keys, run }) => {
    try {
      await run();
      for (const key of keys) knownDocuments.set(key, true, Number.POSITIVE_INFINITY, now);
    } catch (error) {
      for (const key of keys) knownDocuments.delete(key);
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }).finally(() => void writing.requests--);
  const [error] = failures;
  if (error !== undefined)
    console.error(JSON.stringify({ event: "evidence_not_kept", objects: failures.length, error }));
}

interface Write {
  /** Known once it has been made; unknown again if it failed. */
  readonly keys: readonly string[];
  readonly run: () => Promise<void>;
}

function listWrites(bucket: R2Bucket, { documents, certificates, answers }: Gathered, now: Instant): Write[] {
  const firstOf = (leaf: KeptDocument) => answers.find(({ certificate }) => certificate === leaf.sha256);
  const firsts = new Set(certificates.map(firstOf));
  return [
    ...certificates.map((leaf): Write => {
      const answer = firstOf(leaf);
      const keys = [leaf.sha256, ...(answer ? [answer.name] : [])].map((name) => bundleKey(name, now));
      return { keys, run: () => writeCertificate(bucket, leaf, answer, now) };
    }),
    ...answers
      .filter((answer) => !firsts.has(answer))
      .map((answer): Write => ({ keys: [bundleKey(answer.name, now)], run: () => writeAnswer(bucket, answer, now) })),
    ...documents.map((document): Write => {
      const key = documentKey(document.sha256, now);
      return { keys: [key], run: () => writeDocument(bucket, key, document) };
    }),
  ];
}

const NEW_ONLY = { onlyIf: { etagDoesNotMatch: "*" } } as const;

/**
 * Whether it was this write that made the object. R2 takes one write of a key in a second and refuses the others (10058):
 * where isolates bring a new CRL at once, one keeps it for all.
 */
async function putNew(
  bucket: R2Bucket,
  key: string,
  bytes: Uint8Array,
  options: Pick<R2PutOptions, "sha256" | "customMetadata"> = {},
): Promise<boolean> {
  try {
    const put = await callStore("R2", () => bucket.put(key, bytes, { ...NEW_ONLY, ...options }), LONG_STORE_TIMEOUT_MS);
    return put !== null;
  } catch (error) {
    if (await head(bucket, key)) return false;
    throw error;
  }
}

const head = (bucket: R2Bucket, key: string): Promise<R2Object | null> => callStore("R2", () => bucket.head(key));

/** R2 compares the bytes with their SHA-256. Asking first costs a tenth of a write, and spares sending megabytes. */
async function writeDocument(bucket: R2Bucket, key: string, { sha256, bytes }: KeptDocument): Promise<void> {
  if (await head(bucket, key)) return;
  await putNew(bucket, key, bytes(), { sha256 });
}

/** With the answer, if this is the first. The object's metadata name it, so that whoever asks for the object knows. */
async function writeCertificate(
  bucket: R2Bucket,
  leaf: KeptDocument,
  answer: RestedOn | undefined,
  now: Instant,
): Promise<void> {
  const key = bundleKey(leaf.sha256, now);
  const there = await head(bucket, key);
  if (there && (!answer || there.customMetadata?.["answer"] === answer.name)) return;
  if (!there) {
    const [first = new Map(), ...more] = divide([leaf, ...(answer?.documents() ?? [])]);
    const whole = more.length === 0;
    const documents = whole ? first : new Map([...first].slice(0, 1));
    const customMetadata: Record<string, string> = whole && answer ? { answer: answer.name } : {};
    const made = await putNew(bucket, key, await encodeBundle({ parts: 1, documents }), { customMetadata });
    // another isolate was first, with another answer perhaps
    if (made && whole) return;
  }
  if (answer) await writeAnswer(bucket, answer, now);
}

/** Its first part last: where that is, all are. Equal answers are divided equally, whoever writes them. */
async function writeAnswer(bucket: R2Bucket, answer: RestedOn, now: Instant): Promise<void> {
  const key = bundleKey(answer.name, now);
  if (await head(bucket, key)) return;
  const parts = divide(answer.documents());
  for (const [i, documents] of [...parts.entries()].reverse())
    await putNew(bucket, partKey(key, i), await encodeBundle({ parts: parts.length, documents }));
}

/** Each once, in their order, by the size of a part. */
function divide(documents: readonly KeptDocument[]): Map<string, Uint8Array>[] {
  const parts = [new Map<string, Uint8Array>()];
  let left = MAX_PART_BYTES;
  for (const { sha256, bytes } of new Map(documents.map((each) => [each.sha256, each])).values()) {
    const read = bytes();
    if (read.length > left && left < MAX_PART_BYTES) {
      parts.push(new Map());
      left = MAX_PART_BYTES;
    }
    parts.at(-1)?.set(sha256, read);
    left -= read.length;
  }
  return parts;
}
