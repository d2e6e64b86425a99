/** An entry of the error catalogue: what an answer says of an error code. The rest is in explained/. */

/** 200: the error of one element of an answer whose other elements are granted. */
export type Status = 200 | 400 | 401 | 403 | 404 | 405 | 429 | 500 | 503;

export interface CatalogueEntry {
  /** All statuses of this code; the first is the default. 400 becomes 404 where the interface's table has no 400. */
  readonly statuses: readonly [Status, ...Status[]];
  /** The `title` of an answer, unless there is a more precise one. */
  readonly title: string;
}

export type Entries = Readonly<Record<string, CatalogueEntry>>;
