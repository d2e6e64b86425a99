/** Errors that are not caused by the content of a request: failures of the service, and the rate limit. */
import type { Entries } from "./entry.ts";

export const SERVICE = {
  rate_limit_exceeded: { statuses: [429], title: "Too many requests from this address" },
  internal_error: { statuses: [500], title: "Internal error: the operator can find the cause in the log by this id" },
  temporarily_unavailable: { statuses: [503], title: "A store of this service cannot be reached" },
  answer_withheld: { statuses: [503], title: "The answer is withheld, because its record could not be kept" },
  check_postponed: {
    statuses: [200],
    title: "Not checked: the checks before it used up the work of one request",
  },
} as const satisfies Entries;
