/** Retries a failed call of a store. Only for idempotent calls. */
import type { Clock } from "./clock.ts";
import { StoreError } from "./store-error.ts";

const FIRST_WAIT_MS = 100;
/** No call starts later than this after the first. A running call is not aborted, because it may still succeed. */
const BUDGET_MS = 2_000;

/** Waits 100, 200, 400, 800 ms between the calls, so at most five. Throws the last call's {@link StoreError}. */
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
