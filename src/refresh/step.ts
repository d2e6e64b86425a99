/** The input and the result of a step of a refresh task. */
import type { RegisterMaxAgeVars } from "../registers/manifest.ts";

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
  | "TOKEN_RETENTION_DAYS"
  | "RETENTION_DAYS"
  | "PERMISSION_RETENTION_DAYS"
> &
  RegisterMaxAgeVars &
  Partial<Pick<Env, "EVIDENCE" | "EVIDENCE_RETENTION_DAYS">> &
  Partial<Pick<Env, "EVENTS" | "EVENT_RETENTION_DAYS" | "WEBHOOK_TARGETS">>;

export interface StepInput {
  readonly env: RefreshEnv;
  /** The state that the task's last step kept. Any JSON value: an older version may have written it. */
  readonly stepState: unknown;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Reads the time later on. */
  readonly clock?: () => number;
  /** The most entries that the step may write; the rest is left to the next step. */
  readonly maxWrites: number;
  /** Larger lists are refused: a parsed document needs about fifteen times the memory of its text. */
  readonly maxListBytes: number;
  /** Called by long downloads with the bytes read so far and the total; the total is null if unknown. */
  readonly onProgress?: (bytes: number, of: number | null) => void;
}

export type StepResult =
  | {
      readonly ok: true;
      /** State for the next step. */
      readonly stepState: unknown;
      /** Another step is due at once. */
      readonly unfinished: boolean;
      /** The step used so much time and memory that no other should run in the same invocation. */
      readonly heavy: boolean;
      /** A summary for the log and the operator. */
      readonly summary: string;
      /** The next one has to wait for KV, which does not show yet what was written last. */
      readonly waits?: boolean;
      /** There was nothing to do: not worth a line of the log. */
      readonly quiet?: boolean;
    }
  | {
      readonly ok: false;
      readonly message: string;
      /** It failed before there was anything to work on, so another may run in the same invocation. */
      readonly light?: boolean;
      /** State for the next step; if absent, the current state is kept. */
      readonly stepState?: unknown;
    };

export type Step = (input: StepInput) => Promise<StepResult>;
