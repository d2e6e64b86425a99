/** How much work one path search may do, so that a hostile chain costs no more than an honest one. */

export const PATH_LIMITS = {
  /** An honest search verifies two or three, the suites of x509-limbo and PKITS at most twelve. */
  signatures: 40,
  /** Certificates tried as an issuer. */
  candidates: 2_000,
  /** Names compared with name constraints. The largest CA on a trusted list has some fifty constraints. */
  comparisons: 250_000,
} as const;

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
