/** An entry of the error catalogue: what a developer needs to know about an error code. */

/** 200: the error of one element of an answer whose other elements are granted. */
export type Status = 200 | 400 | 401 | 403 | 404 | 405 | 429 | 500 | 503;

export interface CatalogueEntry {
  /** All statuses of this code; the first is the default. 400 becomes 404 where the interface's table has no 400. */
  readonly statuses: readonly [Status, ...Status[]];
  /** The `title` of an answer, unless there is a more precise one. */
  readonly title: string;
  /** The rule that every request must follow. */
  readonly rule: string;
  /** The usual reason why a request breaks it. */
  readonly cause: string;
  /** How to correct the request. */
  readonly cure: string;
  /** A correct example in one line: a header, a member of a body, a command, or a case. */
  readonly example: string;
}

export type Entries = Readonly<Record<string, CatalogueEntry>>;
