/**
 * Keeps the documents that records of the ledger rest on in R2 (binding EVIDENCE), behind the answer: a check never waits
 * for them, and does not fail with them. What a request brings is written together (document-writes.ts).
 */
import type { CheckContext } from "../../psp-check/psp-check.ts";
import { writeGathered } from "./document-writes.ts";
import { bundleKey, documentKey, type Gathered, knownDocuments, type RestedOn } from "./known-documents.ts";

/** An account without R2 has no bucket; then nothing is kept. Without records there is nothing that rests on it. */
export interface EvidenceEnv {
  readonly EVIDENCE?: R2Bucket | undefined;
  readonly LEDGER_RECORDS?: string | undefined;
}

/** Milliseconds after which a write that never ended, because its request was cancelled, is tried again. */
const WRITE_TIMEOUT_MS = 60_000;

type WaitUntil = Pick<ExecutionContext, "waitUntil">;

const bucketOf = ({ EVIDENCE, LEDGER_RECORDS }: EvidenceEnv): R2Bucket | undefined =>
  LEDGER_RECORDS === "off" ? undefined : EVIDENCE;

/** The context of a request's checks: what they rest on is kept with `waitUntil`. `now`: milliseconds since 1970. */
export function contextOfChecks(env: EvidenceEnv, ctx: WaitUntil, now: number): CheckContext {
  const bucket = bucketOf(env);
  return {
    waitUntil: (promise) => ctx.waitUntil(promise),
    keep:
      bucket &&
      ((documents) => {
        for (const each of documents)
          if (each.leaf) gather(bucket, ctx, now, bundleKey(each.sha256, now), "certificates", each);
          else gather(bucket, ctx, now, documentKey(each.sha256, now), "documents", each);
      }),
  };
}

/** Keeps what an answer rests on alone. `now`: milliseconds since 1970. */
export function keepRestedOn(env: EvidenceEnv, ctx: WaitUntil, restedOn: RestedOn, now: number): void {
  const bucket = bucketOf(env);
  if (bucket) gather(bucket, ctx, now, bundleKey(restedOn.name, now), "answers", restedOn);
}

/** Requests of this isolate whose documents are being written. Exported for tests: their stores are emptied after each file. */
export const writing = { requests: 0 };

/** By the request's context. */
const gathering = new WeakMap<WaitUntil, Gathered>();

/** Adds it to what the request brings, unless its key is known. */
function gather<Kind extends keyof Gathered>(
  bucket: R2Bucket,
  ctx: WaitUntil,
  now: number,
  key: string,
  kind: Kind,
  each: Gathered[Kind][number],
): void {
  if (knownDocuments.get(key, now)) return;
  knownDocuments.set(key, true, now + WRITE_TIMEOUT_MS, now);
  let gathered = gathering.get(ctx);
  if (!gathered) {
    gathered = { documents: [], certificates: [], answers: [] };
    gathering.set(ctx, gathered);
    ctx.waitUntil(write(bucket, ctx, gathered, now));
  }
  const list: Gathered[Kind][number][] = gathered[kind];
  list.push(each);
}

async function write(bucket: R2Bucket, ctx: WaitUntil, gathered: Gathered, now: number): Promise<void> {
  writing.requests++;
  try {
    // the answer goes first: then what it says is known, too
    await scheduler.wait(0);
    gathering.delete(ctx);
    await writeGathered(bucket, gathered, now);
  } finally {
    writing.requests--;
  }
}
