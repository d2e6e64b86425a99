/** Errors of watches and events. */
import type { Entries } from "./entry.ts";

export const EVENTS = {
  authorisation_number_invalid: { statuses: [400], title: "authorisation_number is not one of PSD2" },
  watches_full: { statuses: [403], title: "The institution watches as many PSPs as it may" },
  after_invalid: { statuses: [400], title: "after is not from an earlier answer" },
} as const satisfies Entries;
