/** Errors that are not caused by the content of a request: failures of the service, and the rate limit. */
import type { Entries } from "./entry.ts";

export const SERVICE = {
  rate_limit_exceeded: {
    statuses: [429],
    title: "Too many requests from this address",
    rule: "One source address may send 15,000 requests in any five minutes; an IPv6 /64 counts as one.",
    cause: "A client retries without waiting, or several systems share one address.",
    cure: "Wait for the seconds in Retry-After before the next request, and distribute requests evenly.",
    example: "Retry-After: 12",
  },
  internal_error: {
    statuses: [500],
    title: "Internal error: the operator can find the cause in the log by this id",
    rule: "This is a defect of the service, not of the request.",
    cause: "The answer does not reveal the cause. The service's log has it, with the id of the error.",
    cure: "Report the id to the operator.",
    example: 'The "id" of the error is in the header x-request-id, too',
  },
  temporarily_unavailable: {
    statuses: [503],
    title: "A store of this service cannot be reached",
    rule: "A code, token or consent is returned only after it was stored.",
    cause: "A database of the platform did not answer in time.",
    cure: "Send the same request again after the seconds in Retry-After.",
    example: "Retry-After: 1",
  },
  check_postponed: {
    statuses: [200],
    title: "Not checked: the checks before it used up the work of one request",
    rule: "POST /v1/psp/checks begins checks of certificates that it has not seen until their signatures, calls or time reach the limit of a request.",
    cause: "Many new certificates with long chains, or QTSPs that answer slowly.",
    cure: "Send the elements with this error again, at once. What has been checked is remembered.",
    example: "50 new certificates alone, or 34 with an issuer each, are usually checked in one request",
  },
} as const satisfies Entries;
