/**
 * One KV entry and its copy in memory: the CRLs of one issuer at one URL, or the OCSP responses for one certificate.
 */
import { Buffer } from "node:buffer";
import type { AnswerMemory } from "./answer-memory.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

export interface CacheSlot {
  readonly key: string;
  readonly memory: AnswerMemory;
  /** The URL from which refresh/crls.ts fetches the CRL before it expires; null for an OCSP response. */
  readonly crlUrl: string | null;
  /** Decodes and verifies a KV value. Answers in `held` (the isolate's memory) are not verified a second time. */
  readonly read: (value: Uint8Array, held: readonly VerifiedAnswer[], now: number) => Promise<SlotReading>;
  readonly encode: (answers: readonly VerifiedAnswer[]) => Uint8Array;
  /** Milliseconds since 1970: KV keeps the answer until then. */
  readonly keptUntil: (answer: VerifiedAnswer) => number;
}

export interface SlotReading {
  readonly answers: readonly VerifiedAnswer[];
  /** Why a part of the value was ignored, or null. */
  readonly problem: SlotProblem | null;
}

export interface SlotProblem {
  readonly reason: string;
  /** Completes the sentence "The answer cannot be used: ...". */
  readonly message: string;
}

/** The longest period of a CA's CRL (CA/Browser Forum Baseline Requirements 4.9.7): no older one can be replayed. */
export const LONGEST_SPAN_MS = 366 * 86_400_000;

/** Compares bytes. `sameBytes` calls a function per byte, which is slow for megabytes. */
export const isSameAnswer = (a: Uint8Array, b: Uint8Array): boolean =>
  a === b || (a.length === b.length && Buffer.compare(a, b) === 0);
