/** An entry of the error catalogue: what an answer, the error reference and a program say of an error code. */

/** 200: the error of one element of an answer whose other elements are granted. */
export type Status = 200 | 400 | 401 | 403 | 404 | 405 | 429 | 500 | 503;

/**
 * Whether a program sends the same request again.
 * - `never`: the answer stays the same until somebody has changed something. For a person.
 * - `now`: at once, when the program itself has done what the cure says.
 * - `after`: unchanged, when the seconds in the answer's header Retry-After have passed.
 */
export type Retry = "never" | "now" | "after";

/**
 * Who can end the error.
 * - `caller`: the bank's system that sends the request, by what it adds itself: credentials, headers, accounts.
 * - `psp`: the PSP, by its certificate or by what the bank forwards of its request.
 * - `qtsp`: the provider that issued the PSP's certificate.
 * - `bank`: the institution, which decided so. No mistake.
 * - `service`: the operator of this service.
 */
export type Whose = "caller" | "psp" | "qtsp" | "bank" | "service";

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
  readonly retry: Retry;
  readonly whose: Whose;
}

type Defaults = "statuses" | "retry" | "whose";
export type Entry = Omit<CatalogueEntry, Defaults> & Partial<Pick<CatalogueEntry, Defaults>>;

/** Entries with status 400 and retry `never`, which `usually` can end, unless they say otherwise. */
export const table = <Code extends string>(usually: Whose, entries: Readonly<Record<Code, Entry>>) =>
  Object.fromEntries(
    Object.entries<Entry>(entries).map(([code, entry]) => {
      const { statuses = [400], retry = "never", whose = usually, ...texts } = entry;
      return [code, { statuses, ...texts, retry, whose }];
    }),
  ) as Readonly<Record<Code, CatalogueEntry>>;
