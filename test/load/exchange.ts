/** What was answered, and what has to be. */
import type { Received } from "./connection.ts";

/** An answer and what was sent, for expectations that relate to them. */
export interface Exchange extends Received {
  /** Parsed; null if there is none. */
  readonly body: unknown;
  readonly requestId: string;
}

export interface Expected {
  readonly status: number;
  /** Null: no body. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}
