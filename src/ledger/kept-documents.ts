/**
 * The documents that records of the ledger rest on, in R2 (binding EVIDENCE): each once, as
 * `evidence/<UTC year of the record>/<SHA-256>`, so that what is older than its retention can go by the year. They are
 * written behind the answer; a check never waits for them, and does not fail with them.
 */
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import type { KeptDocument } from "../psp-check/kept-document.ts";
import type { CheckContext } from "../psp-check/psp-check.ts";

/** An account without R2 has no bucket; then nothing is kept. Without records there is nothing that rests on it. */
export interface EvidenceEnv {
  readonly EVIDENCE?: R2Bucket | undefined;
  readonly LEDGER_RECORDS?: string | undefined;
}

/** The platform allows six connections of a request at once; some remain for what else goes on behind the answer. */
const MAX_AT_ONCE = 4;
/** Milliseconds after which a write that never ended, because its request was cancelled, is tried again. */
const WRITE_TIMEOUT_MS = 60_000;

/** By key: what this isolate found in the bucket or wrote to it. Exported for the test that fills it. */
export const knownDocuments = new Memory<true>(MEMORY_SHARES.keptDocuments, heapBytes);

/** The key of a document of a record. `time`: of the record, in milliseconds since 1970. */
export const documentKey = (sha256: string, time: number): string =>
  `evidence/${new Date(time).getUTCFullYear()}/${sha256}`;

/** The context of a request's checks: what they rest on is kept with `waitUntil`. `now`: milliseconds since 1970. */
export function contextOfChecks(
  { EVIDENCE, LEDGER_RECORDS }: EvidenceEnv,
  ctx: Pick<ExecutionContext, "waitUntil">,
  now: number,
): CheckContext {
  const bucket = LEDGER_RECORDS === "off" ? undefined : EVIDENCE;
  return {
    waitUntil: (promise) => ctx.waitUntil(promise),
    keep: bucket && ((documents) => keepDocuments(bucket, ctx, documents, now)),
  };
}

/**
 * Writes the documents that the bucket lacks, and logs what could not be written: the next check that brings it tries
 * again. `now`: milliseconds since 1970.
 */
function keepDocuments(
  bucket: R2Bucket,
  ctx: Pick<ExecutionContext, "waitUntil">,
  documents: readonly KeptDocument[],
  now: number,
): void {
  const wanted = new Map(
    documents
      .map((each) => [documentKey(each.sha256, now), each] as const)
      .filter(([key]) => !knownDocuments.get(key, now)),
  );
  if (wanted.size === 0) return;
  for (const key of wanted.keys()) knownDocuments.set(key, true, now + WRITE_TIMEOUT_MS, now);
  ctx.waitUntil(writeAll(bucket, wanted, now));
}

async function writeAll(bucket: R2Bucket, wanted: ReadonlyMap<string, KeptDocument>, now: number): Promise<void> {
  // the lanes take from one iterator
  const waiting = wanted.entries();
  const failures: string[] = [];
  const lane = async () => {
    for (const [key, document] of waiting) {
      try {
        await write(bucket, key, document);
        knownDocuments.set(key, true, Number.POSITIVE_INFINITY, now);
      } catch (error) {
        knownDocuments.delete(key);
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, lane));
  const [error] = failures;
  if (error !== undefined)
    console.error(JSON.stringify({ event: "evidence_not_kept", documents: failures.length, error }));
}

/** R2 compares the bytes with their SHA-256. Asking first costs a tenth of a write, and spares sending megabytes. */
async function write(bucket: R2Bucket, key: string, { sha256, bytes }: KeptDocument): Promise<void> {
  if (await bucket.head(key)) return;
  await bucket.put(key, bytes(), { sha256, onlyIf: { etagDoesNotMatch: "*" } });
}
