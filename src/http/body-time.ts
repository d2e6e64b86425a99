/** How long a body may take to arrive. */

/**
 * Who sent a request is looked at once, and its record has the time of then. Archives of evidence count on it that no
 * request takes longer (LATE_MS of evidence/archive/manifest.ts).
 */
export const BODY_TIMEOUT_MS = 20_000;

/** For people. */
export const TOO_SLOW = `it did not arrive within ${BODY_TIMEOUT_MS / 1000} seconds`;

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
