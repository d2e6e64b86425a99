/**
 * What a command begins beside its answer, as `waitUntil` of a request takes it: fetched CRLs and issuers that are kept,
 * kept answers that are renewed.
 */
import { complain, findKnownFailure } from "./fail.ts";

/**
 * Runs `work`, and returns when all that it gave to `waitUntil` has ended too, and what that gave to it: the stores may be
 * closed then. A failure of these is told and changes neither the result nor the exit code.
 */
export async function withBegunWork<Result>(work: (ctx: ExecutionContext) => Promise<Result>): Promise<Result> {
  const begun: Promise<void>[] = [];
  const failures = new Set<string>();
  const note = (error: unknown) => void failures.add(findKnownFailure(error)?.message ?? String(error));
  // at once: until somebody waits for it, a rejection would be nobody's, which ends the process
  const waitUntil = (promise: Promise<unknown>) => void begun.push(promise.then(() => {}, note));
  try {
    return await work({ waitUntil, passThroughOnException: () => {} } as unknown as ExecutionContext);
  } finally {
    // the list grows meanwhile
    for (const promise of begun) await promise;
    for (const failure of failures)
      complain(`the answer stands, but what was fetched for it could not all be kept: ${failure}`, "warning");
  }
}
