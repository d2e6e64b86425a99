/** Calls of stores: their failures and deadlines, repetition, and how many may run at once. */
import { type Clock, clock } from "./clock.ts";

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
/** For many calls in one, or megabytes: less than the 30 seconds for which work may go on after the response. */
export const LONG_STORE_TIMEOUT_MS = 20_000;

/** A command waits for as long as its stores take: for the lock of a local file 10 seconds (cli/busy-stores.ts). */
const HAS_DEADLINE = typeof navigator !== "undefined" && navigator.userAgent === "Cloudflare-Workers";

/** A name means another object in each jurisdiction. `jurisdiction`: the variable JURISDICTION. */
export const objectsIn = <Class extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<Class>,
  jurisdiction: string | undefined,
): DurableObjectNamespace<Class> =>
  jurisdiction ? namespace.jurisdiction(jurisdiction as DurableObjectJurisdiction) : namespace;

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

const FIRST_WAIT_MS = 100;
/** No call starts later than this after the first. A running call is not aborted, because it may still succeed. */
const BUDGET_MS = 2_000;

/** Only for idempotent calls. Waits 100, 200, 400, 800 ms between the calls, so at most five. Throws the last call's {@link StoreError}. */
export async function retryStore<Result>(call: () => Promise<Result>, clock: Clock): Promise<Result> {
  const begun = clock.now();
  let waited = 0;
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    try {
      return await call();
    } catch (error) {
      // the calls take time too; the waits are counted as well, because a Worker's clock may not advance
      const spent = Math.max(clock.now() - begun, waited);
      if (!(error instanceof StoreError) || spent + wait > BUDGET_MS) throw error;
    }
    await clock.wait(wait);
    waited += wait;
  }
}

/** The part of Workers KV that the service uses: implemented by the binding and by the command line. */
export interface KeyValueStore {
  get<Value = unknown>(key: string, type: "json"): Promise<Value | null>;
  get(key: string, type: "arrayBuffer"): Promise<ArrayBuffer | null>;
  put(
    key: string,
    value: string | ArrayBuffer | ArrayBufferView,
    options?: { expirationTtl?: number; metadata?: unknown },
  ): Promise<void>;
  delete(key: string): Promise<void>;
}

/**
 * Workers KV's limit for one bulk read.
 * https://developers.cloudflare.com/kv/api/read-key-value-pairs/
 */
const KEYS_PER_READ = 100;

/** What is read of KV together: as many in each as one call takes. */
export function* bulkReads<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let i = 0; i < items.length; i += KEYS_PER_READ) yield items.slice(i, i + KEYS_PER_READ);
}

/**
 * Deletes what may have been written a moment ago: KV takes one write of a key in a second, and answers 429 to another.
 * Throws StoreError.
 */
export const deleteNote = (kv: KeyValueStore, key: string): Promise<void> =>
  retryStore(() => callStore("KV", () => kv.delete(key)), clock);

/**
 * Work on many things, a few at a time. An invocation may wait for the beginning of six answers at once, of stores and of
 * servers together: a seventh waits until one of them has begun, and the time limit of its request runs meanwhile. workerd
 * on a machine of one's own lets any number wait.
 * https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections
 */
export async function inLanes<Item>(
  lanes: number,
  waiting: IterableIterator<Item>,
  work: (item: Item) => Promise<void>,
) {
  // all take from the one iterator
  const lane = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
