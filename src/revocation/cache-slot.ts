/** One entry of KV with its copy in the isolate's memory: the CRLs of an issuer at a URL, or the OCSP response on a certificate. */
import { Buffer } from "node:buffer";
import type { AnswerMemory } from "./answer-memory.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

export interface CacheSlot {
  readonly key: string;
  readonly memory: AnswerMemory;
  /** Where a CRL is fetched again ahead of its end (refresh/crls.ts); null for an OCSP response. */
  readonly crlUrl: string | null;
  /** What of a KV value verifies. `held` is what the isolate remembers, which is not read again. */
  readonly read: (value: Uint8Array, held: readonly VerifiedAnswer[], now: number) => Promise<SlotReading>;
  readonly encode: (answers: readonly VerifiedAnswer[]) => Uint8Array;
  /** Milliseconds since 1970: until then KV keeps the answer. */
  readonly keptUntil: (answer: VerifiedAnswer) => number;
}

export interface SlotReading {
  readonly answers: readonly VerifiedAnswer[];
  /** Why something of the value was left out, or null. */
  readonly problem: SlotProblem | null;
}

export interface SlotProblem {
  readonly reason: string;
  /** Completes the sentence "The answer cannot be used: ...". */
  readonly message: string;
}

/**
 * No answer is current for longer than a year (a CA's CRL may be for as long: CA/Browser Forum, Baseline Requirements
 * 4.9.7). An answer that is kept for a year has outlived every older one that could be replayed in its place.
 */
export const LONGEST_SPAN_MS = 366 * 86_400_000;

/** Equal bytes; `sameBytes` calls a function for each, which megabytes make slow. */
export const isSameAnswer = (a: Uint8Array, b: Uint8Array): boolean =>
  a === b || (a.length === b.length && Buffer.compare(a, b) === 0);
