/** The body of a request, for the API and for the console's forms: how long it may take to arrive, and how long it may be. */
import { concatenate } from "../platform/encoding.ts";

/**
 * Who sent a request is looked at once, and its record has the time of then. Archives of evidence count on it that no
 * request takes longer (LATE_MS of evidence/archive/manifest.ts).
 */
export const BODY_TIMEOUT_MS = 20_000;

/** For people. */
export const TOO_SLOW = `it did not arrive within ${BODY_TIMEOUT_MS / 1000} seconds`;
export const BROKEN_OFF = "the connection was closed before its end";

/** The body that is being read. Throws what `late` makes where it has not arrived in time. */
export async function arriveInTime<Body>(reading: Promise<Body>, late: () => Error): Promise<Body> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), BODY_TIMEOUT_MS);
  });
  try {
    return await Promise.race([reading, end]);
  } finally {
    clearTimeout(timer);
  }
}

/** How the reader's errors say it. */
export interface BodyFaults {
  readonly tooLarge: (maxBytes: number) => Error;
  /** `why`: the end of a sentence. */
  readonly incomplete: (why: string) => Error;
}

/**
 * Counts while it reads: a body with a wrong or missing Content-Length is limited, too. What was read whole stays locked. The
 * rest of one that is too large stays in the body, for `forgetRest` (http/middleware/json-body.ts).
 */
export const readAtMost = (body: ReadableStream<Uint8Array>, maxBytes: number, faults: BodyFaults) =>
  arriveInTime(readChunks(body, maxBytes, faults), () => faults.incomplete(TOO_SLOW));

async function readChunks(body: ReadableStream<Uint8Array>, maxBytes: number, { tooLarge, incomplete }: BodyFaults) {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw incomplete(BROKEN_OFF);
    });
    if (done) return concatenate(chunks);
    bytes += value.length;
    if (bytes > maxBytes) {
      reader.releaseLock();
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
}
