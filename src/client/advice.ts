/** What a program can do about an error: whose business it is, and whether to send the same request again. Pure. */
import { CODES } from "./error-codes.ts";

/**
 * Who can end an error.
 * - `caller`: the bank's own system: credentials, headers, accounts.
 * - `psp`: the PSP, by its certificate, or by what the bank forwards of its request.
 * - `qtsp`: the provider that issued the PSP's certificate.
 * - `bank`: the bank, which decided so, such as by a block. No mistake.
 * - `service`: the operator of psp-gate.
 */
export type Whose = "caller" | "psp" | "qtsp" | "bank" | "service";

/**
 * Whether the same request is sent again.
 * - `never`: it stays the same until somebody has changed something.
 * - `now`: at once; after an expired CCG token with a new one.
 * - `after`: unchanged, when `retryAfter` seconds have passed.
 */
export type RetryAdvice = "never" | "now" | "after";

export interface Advice {
  readonly whose: Whose;
  readonly retry: RetryAdvice;
}

/** Of an error of the service. A code that this version of the client does not know is judged by its status. */
export function adviseOn(code: string, status: number): Advice {
  const known = Object.entries(CODES).find(([, codes]) => (codes as readonly string[]).includes(code))?.[0];
  if (known === undefined) return { whose: whoseStatus(status), retry: MAY_REPEAT.has(status) ? "after" : "never" };
  const [whose, retry] = known.split(" ") as [Whose, RetryAdvice];
  return { whose, retry };
}

const MAY_REPEAT: ReadonlySet<number> = new Set([429, 503]);

function whoseStatus(status: number): Whose {
  if (status >= 500) return "service";
  return status === 403 ? "psp" : "caller";
}
