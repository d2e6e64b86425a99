/** What the platform bills of one request, as counted in workerd by `test/worker/costs/billed-operations.test.ts`. */
import counted from "./counted.json" with { type: "json" };
import type { Operation, State } from "./rounds.ts";

/** Rows as the platform counts them: an index entry that is written is a row. */
export interface Billed {
  readonly d1RowsRead: number;
  readonly d1RowsWritten: number;
  /** Keys, not calls: each key of a bulk read is billed, also one that does not exist. */
  readonly kvKeysRead: number;
  /** Calls of Durable Objects, and their alarms. */
  readonly doRequests: number;
  readonly doRowsRead: number;
  readonly doRowsWritten: number;
  /** Calls that write, and those that read: a head is one. */
  readonly r2ClassA: number;
  readonly r2ClassB: number;
  /** That were written. */
  readonly r2Bytes: number;
  readonly logLines: number;
  readonly logBytes: number;
}

export const NO_BILL: Billed = {
  ...{ d1RowsRead: 0, d1RowsWritten: 0, kvKeysRead: 0, doRequests: 0, doRowsRead: 0, doRowsWritten: 0 },
  ...{ r2ClassA: 0, r2ClassB: 0, r2Bytes: 0, logLines: 0, logBytes: 0 },
};

/** What happens beside or after requests. */
export const LATER = {
  report: "report of a source address's requests",
  codeAlarm: "alarm that empties a code",
  tokenEnd: "retention deletes a token",
  permissionEnd: "retention deletes a permission",
  append: "append of a record to its ledger",
  head: "alarm that signs the end of a ledger",
  segment: "4,096 records of a ledger move to R2",
  accountTag: "key by which records name an account that is new",
  certificate: "what the first check of a PSP's certificate is based on; its QTSP's CRL is kept",
  answer: "what another answer to a certificate is based on",
  coldEvidence: "an isolate that knows nothing asks what is kept",
} as const;

export interface Counted {
  readonly requests: Record<Operation, Record<Exclude<State, "withoutReadAhead">, Billed>>;
  readonly later: Record<keyof typeof LATER, Billed>;
}

export const COUNTED = counted as Counted;
