/** What every task's step is given, and what it answers. */

/** The bindings and variables that refreshing needs. */
export type RefreshEnv = Pick<
  Env,
  | "KV"
  | "DB"
  | "LOTL_URL"
  | "TRUSTED_LIST_URL_TEMPLATE"
  | "EBA_METADATA_URL"
  | "EBA_FILES_URL"
  | "REFRESH_TIMEOUT_SECONDS"
  | "RETENTION_DAYS"
>;

export interface StepInput {
  readonly env: RefreshEnv;
  /** What the task's last step kept: whatever JSON can say, since an older version may have written it. */
  readonly memo: unknown;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Entries that the step may write; the rest is left to the next. */
  readonly maxWrites: number;
  /** Longer lists are refused: a document takes some fifteen times its text. */
  readonly maxListBytes: number;
  /** Told how many bytes of how many are read, where a step reads many. */
  readonly onProgress?: (bytes: number, of: number | null) => void;
}

export type StepResult =
  | {
      readonly ok: true;
      /** For the next step. */
      readonly memo: unknown;
      /** Another step is due at once. */
      readonly unfinished: boolean;
      /** It took so much of an invocation's time and memory that nothing else should follow there. */
      readonly heavy: boolean;
      /** What was done, for the log and the operator. */
      readonly told: string;
    }
  | {
      readonly ok: false;
      readonly message: string;
      /** For the next step; absent where it is to find what this one found. */
      readonly memo?: unknown;
    };

export type Step = (input: StepInput) => Promise<StepResult>;
