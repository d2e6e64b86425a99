/**
 * Limits the work that one request with many certificates can cause. Each certificate keeps the limits that it has when
 * it comes alone, so that its answer is the same; the budget decides only whether its check is begun in this request.
 */

import type { SoughtIssuers } from "../eidas/sought-issuers.ts";
import type { Instant } from "../platform/instant.ts";
import { memoryKey } from "../platform/memory.ts";
import { listCrlUrls, listOcspUrls } from "../revocation/distribution-points.ts";
import type { Certificate } from "../x509/certificate.ts";
import { PATH_LIMITS, type PathBudget, startBudget } from "../x509/path-budget.ts";

export const CHECK_LIMITS = {
  /** Estimated processor time of all signatures, in microseconds: that of ten headers at their worst, 500 normal ones. */
  signatures: 200_000,
  /** Calls of KV and of QTSPs. The platform allows 1,000; the remaining ones read registers, credentials and counts. */
  calls: 900,
  /** Milliseconds from the request's arrival, after which no check is begun: QTSPs may answer slowly. */
  time: 10_000,
} as const;

/** The signatures of the revocation answers on one certificate, in microseconds: usually two by RSA of 2,048 bits. */
const REVOCATION_COST = 500;
/** The bulk reads of the anchors and of the home register. */
const CALLS_PER_CHAIN = 2;
/** A read and a write in KV. */
export const CALLS_TO_KEEP_ISSUER = 2;
/** One read of what is kept, an exchange with two redirects, and one read and one write to keep the answer. */
const CALLS_PER_URL = 6;

/** Thrown where a check that was begun needs calls that the request does not have. */
export class NoCallsLeft extends Error {
  override readonly name = "NoCallsLeft";
}

export interface BegunCheck {
  readonly path: PathBudget;
  /** Takes calls that {@link countCalls} did not count. Throws {@link NoCallsLeft}. */
  readonly spendCalls: (calls: number) => void;
  /** To be called when the check has ended: gives back what it was expected to cost, and did not. */
  end(): void;
}

export function countCalls({ leaf, issuers }: Chain): number {
  const urls = [leaf, ...issuers].flatMap((certificate) => [...listOcspUrls(certificate), ...listCrlUrls(certificate)]);
  return CALLS_PER_CHAIN + CALLS_TO_KEEP_ISSUER * issuers.length + CALLS_PER_URL * urls.length;
}

export class CheckBudget {
  #signatures: number = CHECK_LIMITS.signatures;
  #calls: number = CHECK_LIMITS.calls;
  readonly #until: Instant;

  /** `now`: when the request arrived. */
  constructor(now: Instant) {
    this.#until = now + CHECK_LIMITS.time;
  }

  /** Reserves what the check of a chain may cost at `now`; null if that is too much. */
  begin(chain: Chain, now: Instant): BegunCheck | null {
    const certain = REVOCATION_COST * (1 + chain.issuers.length);
    const calls = countCalls(chain);
    const reserved = certain + PATH_LIMITS.cost;
    if (now >= this.#until || calls > this.#calls || reserved > this.#signatures) return null;
    this.#calls -= calls;
    this.#signatures -= reserved;
    const budget = startBudget();
    let spent = 0;
    return {
      spendCalls: (more) => {
        if (more > this.#calls) throw new NoCallsLeft(`${more} calls more than the request may make`);
        this.#calls -= more;
      },
      path: {
        spend: (work, amount = 1) => {
          if (work === "cost") spent = Math.min(spent + amount, PATH_LIMITS.cost);
          return budget.spend(work, amount);
        },
        get exhausted() {
          return budget.exhausted;
        },
      },
      end: () => {
        this.#signatures += PATH_LIMITS.cost - spent;
      },
    };
  }
}

export interface Chain {
  readonly leaf: Certificate;
  readonly issuers: readonly Certificate[];
  /** The one of the issuers that was presented before all others; absent if the leaf was: see eidas/stranger.ts. */
  readonly first?: Certificate;
  /** Whether they were presented joined by commas, as those of several senders are, too. */
  readonly joined?: true;
  /** Issuers' certificates that were not presented and were looked for: no part of the key. */
  readonly sought?: SoughtIssuers;
}

/** Names the certificates of a chain in their order: the same key is the same chain. A digest is not digested again. */
export const chainKey = ({ leaf, issuers, first, joined }: Chain): string =>
  issuers.length === 0
    ? leaf.fingerprint
    : memoryKey([first, leaf, ...issuers].map((each) => each?.fingerprint).join(joined ? "," : " "));
