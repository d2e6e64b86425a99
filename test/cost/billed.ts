/** What the platform bills of one request, as counted in workerd by `test/worker/billed-operations.test.ts`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Operation, State } from "../simulate/rounds.ts";

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
  readonly logLines: number;
  readonly logBytes: number;
}

/** What happens beside or after requests. */
export const LATER = {
  report: "report of a source address's requests",
  codeAlarm: "alarm that empties a code",
  tokenEnd: "retention deletes a token",
  permissionEnd: "retention deletes a permission",
} as const;

export interface Counted {
  readonly requests: Record<Operation, Record<Exclude<State, "withoutReadAhead">, Billed>>;
  readonly later: Record<keyof typeof LATER, Billed>;
}

export const readCounted = async (): Promise<Counted> =>
  JSON.parse(await readFile(join(import.meta.dirname, "counted.json"), "utf8"));
