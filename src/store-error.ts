/** A store (D1, a Durable Object, KV) failed or could not be reached. app.ts answers 503 without details. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** The error title after a {@link StoreError}. It holds for every store and every point of failure. */
export function explainOutage(method: string): string {
  const state = STATES[method] ?? "nothing was changed";
  return `A store of this service cannot be reached: ${state}. Send the request again`;
}
const STATES: Readonly<Record<string, string>> = {
  POST: "no code or token was issued, and whether a consent was created is not known",
  PUT: "whether anything was changed is not known",
  DELETE: "whether anything was deleted is not known",
};

/** Runs a call of a store. Anything that it throws becomes a {@link StoreError}, whose cause is only logged. */
export async function callStore<Result>(store: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (cause) {
    throw new StoreError(`${store}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
