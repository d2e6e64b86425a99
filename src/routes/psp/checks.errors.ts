/** Errors of many checks at once, and of a single one of them. */
import { table } from "../../http/errors/entry.ts";

export const CHECKS = table("caller", {
  checks_missing: {
    title: "checks is missing",
    rule: "The body of POST /v1/psp/checks is an object whose member checks lists what is to be checked.",
    cause: "The list itself was sent, or one check without the list around it.",
    cure: "Put the list into an object, also if it has one element.",
    example: '"checks": [{"eIDAS": "MIIE8TCCA9mgAwIBAgIU...", "jurisdictions": ["FI"]}]',
  },
  checks_invalid: {
    statuses: [400, 200],
    title: "checks is not a list of 1 to 50 objects",
    rule: "A request checks 1 to 50 certificates. An element that is no object is refused by itself, in the answer's element at its place.",
    cause: "A single object or an empty list was sent, or the whole portfolio in one request.",
    cure: "Send 50 at a time. The answer's elements have the same order.",
    example: '"checks": [{"id": "psp-17", "eIDAS": "MIIE8TCCA9mgAwIBAgIU...", "jurisdictions": ["FI", "SE"]}]',
  },
  jurisdictions_missing: {
    statuses: [200],
    title: "jurisdictions is missing",
    rule: "Each of the checks names the countries where accounts are held.",
    cause: "It was spelled jurisdiction, as in the query of the single check.",
    cure: "Send a list, also for one country.",
    example: '"jurisdictions": ["FI"]',
  },
  jurisdictions_invalid: {
    statuses: [200],
    title: "jurisdictions is not a list of 1 to 31 countries",
    rule: "Of one certificate 1 to 31 jurisdictions are checked: as many as the EEA and the United Kingdom have.",
    cause: "A string was sent, such as FI,SE, or the list is empty or too long.",
    cure: "Send an array of two-letter codes. A code that is no country is refused by itself.",
    example: '"jurisdictions": ["FI", "SE"]',
  },
  id_invalid: {
    statuses: [200],
    title: "id is not a string of at most 128 characters",
    rule: "The id of a check is the caller's own, and optional. It comes back with the answer and is not logged.",
    cause: "A number was sent, or a text that is longer.",
    cure: "Send a short string, or rely on the order of the answer.",
    example: '"id": "psp-17"',
  },
  check_postponed: {
    statuses: [200],
    title: "Not checked: the checks before it used up the work of one request",
    rule: "POST /v1/psp/checks begins checks of certificates that it has not seen until their signatures, calls or time reach the limit of a request.",
    cause: "Many new certificates with long chains, or QTSPs that answer slowly.",
    cure: "Send the elements with this error again, at once. What has been checked is remembered.",
    example: "50 new certificates alone, or 34 with an issuer each, are usually checked in one request",
    retry: "now",
    whose: "caller",
  },
});
