/** Errors of parameters that several endpoints have: of a consent's data, of a jurisdiction, of a page. */
import { table } from "./entry.ts";

export const SHARED_PARAMETERS = table("caller", {
  data_missing: {
    title: "data is missing",
    rule: "A request that creates a consent has the object data.",
    cause: "Its members were sent directly in the body, or in Data, the spelling of UK Open Banking.",
    cure: "Put them into data, and spell all names in lower case with underscores.",
    example: '{"data": {"permissions": ["ReadBalances"], ...}}',
    whose: "psp",
  },
  data_invalid: {
    title: "data is not an object",
    rule: "data is a JSON object that describes one consent.",
    cause: "A list of consents was sent, or the object was encoded as a string.",
    cure: "Send one request for each consent.",
    example: '"data": {"permissions": ["ReadBalances"]}',
    whose: "psp",
  },
  jurisdiction_missing: {
    statuses: [404, 400],
    title: "jurisdiction is missing in the query: a two-letter country code such as FI is expected",
    rule: "The query of GET /v1/psp/eidas (404) and the body of POST /v1/psp/signatures (400) name the country where the account is held.",
    cause: "The client was written before version 1.7, which added it, or the name is not in lower case.",
    cure: "Add the two-letter code of the country of the transaction, which may differ from the PSP's home country.",
    example: "GET /v1/psp/eidas?jurisdiction=fi",
  },
  jurisdiction_invalid: {
    statuses: [404, 400],
    title: "jurisdiction is not a country",
    rule: "A jurisdiction is the two-letter code of a country (ISO 3166-1), given once. EL and UK are accepted for GR and GB.",
    cause: "A three-letter code, a country's name or several countries were sent.",
    cure: "Send a two-letter code. Make a separate request for each country.",
    example: '"jurisdiction": "DE"',
  },
  limit_invalid: {
    title: "limit is not a number from 1 to 100",
    rule: "A page has 1 to 100 payment order consents (by default 25) or events (100), or 1 to 200 records of the ledger (50).",
    cause: "The value is 0 or above the most, or the parameter was given twice.",
    cure: "Request at most what the title says, and follow next_cursor, of events next_after, for the rest.",
    example: "GET /v1/obie/payment_order_consents?limit=100",
  },
  cursor_invalid: {
    statuses: [400, 404],
    title: "cursor is not from an earlier answer",
    rule: "A cursor is the next_cursor of the previous page, unchanged. Of the tokens of an account it stands in the header Link.",
    cause: "A page number was sent, or the cursor was truncated.",
    cure: "Begin without a cursor, and send that of each answer until one has none.",
    example: "GET /v1/obie/payment_order_consents?cursor=0mwqxj5kbvEDTjqXEH1DtkyemiPQLhQ",
  },
});
