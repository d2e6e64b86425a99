/**
 * How much work one path search may do. The costliest header, ten certificates of an unknown caller's own making, takes
 * some 10 ms of processor time for its signatures (`cost`), and with all the rest less than 20 ms.
 */

export const PATH_LIMITS = {
  /** An honest search verifies two or three, the suites of x509-limbo and PKITS at most twelve. */
  signatures: 40,
  /**
   * What the signatures may cost together (signature-cost.ts): 10 ms. Two signatures by RSA keys of 4,096 bits with
   * exponents of 32 bits, the costliest on trusted lists, cost 1.6 ms, three by P-521 4.3 ms.
   */
  cost: 10_000,
  /** Certificates tried as an issuer. */
  candidates: 2_000,
  /** Names compared with name constraints. The largest CA on a trusted list has some fifty constraints. */
  comparisons: 250_000,
} as const;

/** What is said of a search that was given up. */
export const EXHAUSTED: Readonly<Record<keyof typeof PATH_LIMITS, string>> = {
  signatures: "too many signatures",
  cost: "its signatures are too costly to verify",
  candidates: "too many candidates",
  comparisons: "too many comparisons",
};

/** Certificates between leaf and anchor; real paths have one or two. */
export const MAX_INTERMEDIATES = 10;

export type Work = keyof typeof PATH_LIMITS;

export interface PathBudget {
  /** False when that much work is no longer allowed; from then on `exhausted` says of what. */
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
