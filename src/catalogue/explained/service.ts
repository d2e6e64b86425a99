/** The explanations of catalogue/service.ts. */
import type { SERVICE } from "../service.ts";
import type { Explanations } from "./explanation.ts";

export const SERVICE_EXPLAINED: Explanations<typeof SERVICE> = {
  rate_limit_exceeded: {
    rule: "One source address may send 15,000 requests in any five minutes; an IPv6 /64 counts as one.",
    cause: "A client retries without waiting, or several systems share one address.",
    cure: "Wait for the seconds in Retry-After before the next request, and distribute requests evenly.",
    example: "Retry-After: 12",
    retry: "after",
    whose: "caller",
  },
  internal_error: {
    rule: "This is a defect of the service, not of the request.",
    cause: "The answer does not reveal the cause. The service's log has it, with the id of the error.",
    cure: "Report the id to the operator.",
    example: 'The "id" of the error is in the header x-request-id, too',
    retry: "never",
    whose: "service",
  },
  temporarily_unavailable: {
    rule: "A code, token or consent is returned only after it was stored; to an institution that requires its records, an answer only after its record was kept.",
    cause: "A database of the platform did not answer in time. The title says what is known of what was asked for.",
    cure: "Send the same request again after the seconds in Retry-After. Where the title says that an answer was withheld, look first: what was asked for may have been done.",
    example: "Retry-After: 1",
    retry: "after",
    whose: "service",
  },
  answer_withheld: {
    rule: "An institution that requires its records gets an answer to a POST or DELETE only when its record is kept.",
    cause: "The ledger did not answer. What was asked for may have been done: a code used, a token or consent made.",
    cure: "Look first: GET the token, the account's tokens or the consents. A DELETE, a check and a request for a CCG token can be sent again at once, a code never: that would revoke its token.",
    example: "fi add --ledger required",
    retry: "never",
    whose: "service",
  },
  check_postponed: {
    rule: "POST /v1/psp/checks begins checks of certificates that it has not seen until their signatures, calls or time reach the limit of a request.",
    cause: "Many new certificates with long chains, or QTSPs that answer slowly.",
    cure: "Send the elements with this error again, at once. What has been checked is remembered.",
    example: "50 new certificates alone, or 34 with an issuer each, are usually checked in one request",
    retry: "now",
    whose: "caller",
  },
};
