/**
 * What a developer and a program need to know about an error code, beyond its statuses and title. Apart from those,
 * because the Worker does not need it: the error reference, a static file, does.
 */

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

export interface Explanation {
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

/** One for each code of a part of the catalogue. */
export type Explanations<Entries> = { readonly [Code in keyof Entries]: Explanation };
