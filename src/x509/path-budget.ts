/** Limits the work of one path search: ten hostile certificates take less than 20 ms of processor time. */

export const PATH_LIMITS = {
  /** Signatures verified. A normal search needs two or three; the x509-limbo and PKITS suites need at most twelve. */
  signatures: 40,
  /** In microseconds (public-key.ts). Three by P-521 cost 4.3 ms, two by the largest RSA keys in use 1.6 ms. */
  cost: 10_000,
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
