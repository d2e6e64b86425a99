/** What is noted behind answers, so that events can tell of it: each thing once for each isolate. */
import { heapBytes, MEMORY_SHARES, Memory } from "../platform/memory.ts";

/** By certificate and what was noted of it (certificates.ts); by institution and PSP (grants.ts). */
export const knownNotes = new Memory<true>(MEMORY_SHARES.notes, heapBytes);

/** Milliseconds after which a write that never ended, because its request was cancelled, is tried again. */
const WRITE_TIMEOUT_MS = 60_000;

/** A note that is written behind the answer. */
export interface UnderWay {
  /** Does not reject. */
  readonly done: Promise<void>;
}

/** Milliseconds since 1970, and for how many milliseconds from then on it is not noted again. */
interface NoteTime {
  readonly now: number;
  readonly lifetimeMs: number;
}

/**
 * Writes a note, unless the isolate has written it: then null. A failure is logged as `failure` only, and the next occasion
 * notes it.
 */
export function noteOnce(
  ctx: Pick<ExecutionContext, "waitUntil">,
  key: string,
  { now, lifetimeMs }: NoteTime,
  failure: string,
  write: () => Promise<void>,
): UnderWay | null {
  if (knownNotes.get(key, now)) return null;
  knownNotes.set(key, true, now + WRITE_TIMEOUT_MS, now);
  const done = write().then(
    () => knownNotes.set(key, true, now + lifetimeMs, now),
    (error: unknown) => {
      knownNotes.delete(key);
      console.error(JSON.stringify({ event: failure, error: String(error) }));
    },
  );
  ctx.waitUntil(done);
  return { done };
}
