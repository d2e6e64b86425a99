/** What every kind of conformance suite has in common. A kind is one file that exports a SuiteKind; main.ts lists them. */

export interface SuiteFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The content when it is JSON, else undefined. */
  readonly json: unknown;
}

export interface CaseResult {
  readonly id: string;
  readonly expected: string;
  /** What the service's code said, in the suite's own words. */
  readonly actual: string;
  readonly outcome: "pass" | "fail" | "not-applicable" | "exception";
  readonly reason: string;
}

/** One case, not yet judged. `run` may throw: a case that makes the code throw has failed. */
export interface SuiteCase {
  readonly id: string;
  readonly expected: string;
  /** Whether the suite expects the service to say yes. */
  readonly expectsAccept: boolean;
  run(): Promise<CaseAnswer>;
}

export interface CaseAnswer {
  readonly accepted: boolean;
  /** In the suite's own words. */
  readonly actual: string;
  readonly reason: string;
  /** Why this yes would say nothing if the suite expects a no; null when it would say something. */
  readonly notApplicable: string | null;
}

export interface SuiteKind {
  readonly name: string;
  recognises(file: SuiteFile): boolean;
  /**
   * The cases of a suite. Throws an Error that says what is malformed.
   * @param now milliseconds since 1970, for cases that name no time of their own
   */
  read(file: SuiteFile, now: number): readonly SuiteCase[];
  /** What the results are together, where that is more than whether they pass. */
  readonly summary?: (results: readonly CaseResult[]) => string;
}
