/** One entry of the error catalogue: an error code, and what whoever meets it needs to know. */

export type Status = 400 | 401 | 403 | 404 | 405 | 429 | 500 | 503;

export interface CatalogueEntry {
  /** All that it is answered with. The first is the rule; 400 is 404 where the interface's table has no 400. */
  readonly statuses: readonly [Status, ...Status[]];
  /** The `title` of an answer that has nothing more precise to say. */
  readonly title: string;
  /** What holds for every request. */
  readonly rule: string;
  /** How a request comes to break it. */
  readonly cause: string;
  /** What to do. */
  readonly cure: string;
  /** What is right, in a line: a header, a member of a body, a command, or a case. */
  readonly example: string;
}

export type Entries = Readonly<Record<string, CatalogueEntry>>;
