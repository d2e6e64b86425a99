/** A store (D1, a Durable Object, KV) that could not be reached or failed: the answer is 503 (app.ts), never a detail. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Runs a call of a store; whatever it throws becomes a {@link StoreError} whose cause is in the log only. */
export async function reach<Result>(store: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (cause) {
    throw new StoreError(`${store}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
