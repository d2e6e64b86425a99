/** A store (D1, a Durable Object, KV) failed or could not be reached. app.ts answers 503 without details. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  /** As D1 says of a database without a migration that this version needs. */
  get isUnmigrated(): boolean {
    return /no such (table|column)|has no column named/.test(this.message);
  }
}

/** The error title and the log's after that: `wrangler dev` alone makes no tables. */
export const NOT_MIGRATED = "The database is not migrated: run npm start (local), or npm run deploy";

/**
 * The error title after a {@link StoreError}. It holds for every store and every point of failure. `outage`: what the
 * endpoint's row says (endpoints.ts).
 */
export const explainOutage = (outage = "nothing was changed. Send the request again"): string =>
  `A store of this service cannot be reached: ${outage}`;

/** Milliseconds in which a store has to answer. */
export const STORE_TIMEOUT_MS = 5_000;
/** For many calls in one, or megabytes: less than the 30 seconds for which work may go on behind an answer. */
export const LONG_STORE_TIMEOUT_MS = 20_000;

/** A command waits for as long as its stores take: for the lock of a local file 10 seconds (cli/busy-stores.ts). */
const HAS_DEADLINE = typeof navigator !== "undefined" && navigator.userAgent === "Cloudflare-Workers";

/**
 * Runs a call of a store. Anything that it throws becomes a {@link StoreError}, whose cause is only logged; so does that it
 * has no answer within so many milliseconds. Such a call cannot be taken back: it may be carried out later, after whatever
 * its caller does next.
 */
export async function callStore<Result>(
  store: string,
  call: () => Promise<Result>,
  within = STORE_TIMEOUT_MS,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    if (HAS_DEADLINE) timer = setTimeout(() => reject(new Error(`no answer in ${within} ms`)), within);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (cause) {
    const error = new StoreError(`${store}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    if (error.isUnmigrated) error.message = `${NOT_MIGRATED} (${error.message})`;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
