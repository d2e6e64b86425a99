/** Errors of watches and events. */
import { table } from "../http/errors/entry.ts";

export const EVENTS = table("caller", {
  authorisation_number_invalid: {
    title: "authorisation_number is not one of PSD2",
    rule: "A PSP is watched by its authorisation number: PSD, its home country, its authority, its reference there.",
    cause: "A legal name, an LEI or a national company number was sent, or the number was not percent-encoded.",
    cure: "Send psp_id of a token or consent, or authNumber of a PSP check. Any spelling of it is taken.",
    example: "PUT /v1/psp/watches/PSDXX-TEST-000001",
  },
  watches_full: {
    statuses: [403],
    title: "The institution watches as many PSPs as it may",
    rule: "An institution watches at most 10,000 PSPs. Those that have live tokens or consents there need no watch.",
    cause: "Watches of PSPs that are no longer of interest were never deleted.",
    cure: "List the watches, and delete those that are not needed.",
    example: "GET /v1/psp/watches, then DELETE /v1/psp/watches/PSDXX-TEST-000001",
  },
  after_invalid: {
    title: "after is not from an earlier answer",
    rule: "after is the next_after of the previous answer for the same institution, unchanged.",
    cause: "The id or the time of an event was sent, or next_after of another institution.",
    cure: "Begin without after, and keep the next_after of each answer for the next request.",
    example: "GET /v1/events?after=MTc.3xkQ0sYb1vZp",
  },
});
