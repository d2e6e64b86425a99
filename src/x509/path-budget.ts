/**
 * Limits the work of one path search. In the worst case, ten hostile certificates in one header, the signatures
 * (`cost`) take about 10 ms of processor time and the whole search less than 20 ms.
 */

export const PATH_LIMITS = {
  /** Signatures verified. A normal search needs two or three; the x509-limbo and PKITS suites need at most twelve. */
  signatures: 40,
  /**
   * Total estimated cost of the signatures in microseconds (signature-cost.ts): 10 ms. For comparison, two signatures
   * by the most expensive keys on trusted lists (RSA of 4,096 bits with an exponent of 32 bits) cost 1.6 ms, and three
   * P-521 signatures cost 4.3 ms.
   */
  cost: 10_000,
  /** Certificates tried as issuers. */
  candidates: 2_000,
  /** Comparisons of a name with a name constraint. The largest CA on a trusted list has about fifty constraints. */
  comparisons: 250_000,
} as const;

/** Completes the sentence "The search for a path was given up: ...". */
export const EXHAUSTED: Readonly<Record<keyof typeof PATH_LIMITS, string>> = {
  signatures: "too many signatures",
  cost: "its signatures are too costly to verify",
  candidates: "too many candidates",
  comparisons: "too many comparisons",
};

/** Certificates between the leaf and the anchor. Real paths have one or two. */
export const MAX_INTERMEDIATES = 10;

export type Work = keyof typeof PATH_LIMITS;

export interface PathBudget {
  /** Returns false once a limit is exceeded; `exhausted` then names the limit that was exceeded first. */
  spend(work: Work, amount?: number): boolean;
  readonly exhausted: Work | null;
}

export function startBudget(): PathBudget {
  const left: Record<Work, number> = { ...PATH_LIMITS };
  let exhausted: Work | null = null;
  return {
    spend(work, amount = 1) {
      left[work] -= amount;
      if (left[work] < 0) exhausted ??= work;
      return exhausted === null;
    },
    get exhausted() {
      return exhausted;
    },
  };
}
