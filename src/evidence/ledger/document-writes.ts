/**
 * Writes to R2 what checks rest on (kept-documents.ts).
 *
 * The object of a certificate holds its DER, and what the first answer of the year that rested on it rests on alone: a
 * new certificate is two calls, and nothing that a further answer needs travels twice.
 */
import { callStore, inLanes, LONG_STORE_TIMEOUT_MS } from "../../platform/stores.ts";
import type { KeptDocument } from "../../psp-check/basis.ts";
import { type Bundle, encodeBundle, MAX_PART_BYTES } from "./document-bundle.ts";
import { bundleKey, documentKey, type Gathered, knownDocuments, partKey, type RestedOn } from "./known-documents.ts";

/** The platform allows six connections of a request at once; some remain for what else goes on behind the answer. */
const MAX_AT_ONCE = 4;

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

interface Write {
  /** Known once it has been made; unknown again if it failed. */
  readonly keys: readonly string[];
  readonly run: () => Promise<void>;
}

/** Logs what could not be written: the next check that brings it tries again. `now`: milliseconds since 1970. */
export async function writeGathered(bucket: R2Bucket, gathered: Gathered, now: number): Promise<void> {
  const failures: string[] = [];
  await inLanes(MAX_AT_ONCE, listWrites(bucket, gathered, now).values(), async ({ keys, run }) => {
    try {
      await run();
      for (const key of keys) knownDocuments.set(key, true, Number.POSITIVE_INFINITY, now);
    } catch (error) {
      for (const key of keys) knownDocuments.delete(key);
      failures.push(error instanceof Error ? error.message : String(error));
    }
  });
  const [error] = failures;
  if (error !== undefined)
    console.error(JSON.stringify({ event: "evidence_not_kept", objects: failures.length, error }));
}

function listWrites(bucket: R2Bucket, { documents, certificates, answers }: Gathered, now: number): Write[] {
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
  now: number,
): Promise<void> {
  const key = bundleKey(leaf.sha256, now);
  const there = await head(bucket, key);
  if (there && (!answer || there.customMetadata?.["answer"] === answer.name)) return;
  if (!there) {
    const [first = [], ...more] = divide([leaf, ...(answer?.documents() ?? [])]);
    const whole = more.length === 0;
    const documents = whole ? first : first.slice(0, 1);
    const customMetadata: Record<string, string> = whole && answer ? { answer: answer.name } : {};
    const made = await putNew(bucket, key, await encodeBundle({ parts: 1, documents }), { customMetadata });
    // another isolate was first, with another answer perhaps
    if (made && whole) return;
  }
  if (answer) await writeAnswer(bucket, answer, now);
}

/** Its first part last: where that is, all are. Equal answers are divided equally, whoever writes them. */
async function writeAnswer(bucket: R2Bucket, answer: RestedOn, now: number): Promise<void> {
  const key = bundleKey(answer.name, now);
  if (await head(bucket, key)) return;
  const parts = divide(answer.documents());
  for (const [i, documents] of [...parts.entries()].reverse())
    await putNew(bucket, partKey(key, i), await encodeBundle({ parts: parts.length, documents }));
}

/** A document with its bytes. */
type Read = Bundle["documents"][number];

/** Each once, in their order, by the size of a part. */
function divide(documents: readonly KeptDocument[]): Read[][] {
  const parts: Read[][] = [[]];
  let left = MAX_PART_BYTES;
  for (const { sha256, bytes } of new Map(documents.map((each) => [each.sha256, each])).values()) {
    const read = { sha256, bytes: bytes() };
    if (read.bytes.length > left && left < MAX_PART_BYTES) {
      parts.push([]);
      left = MAX_PART_BYTES;
    }
    parts.at(-1)?.push(read);
    left -= read.bytes.length;
  }
  return parts;
}
