/** Many checks at once. */
import * as z from "zod";
import { at, ERRORS } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { pspChecks, pspChecksLatest } from "./checks.answer.ts";
import { body, element } from "./checks.ts";

/** Its elements are judged one by one, so the route has no schema of the whole. */
const one = element();
const jurisdictions = one.shape.jurisdictions.pipe(z.array(z.string().regex(/^[A-Za-z]{2}$/)));
const manyChecks = z.object({
  checks: body().shape.checks.pipe(z.array(one.extend({ jurisdictions }))),
});

export const CHECKS: Resource = {
  operations: {
    "POST /v1/psp/checks": {
      id: "checkPsps",
      tag: "PSP check",
      summary: "Check many PSPs",
      description:
        "Checks up to 50 certificates, each for up to 31 jurisdictions. Each result has the form of GET /v1/psp/eidas. What is wrong with one concerns no other: it has its own errors. The body may have 1,024 KiB. Repeating the request is harmless.",
      body: "PspChecksRequest",
      whole: body(),
      answers: ["PspChecks", "PspChecksLatest"],
      success: "The results, and the errors of single elements.",
    },
  },
  requests: {
    PspChecksRequest: manyChecks,
  },
  answers: {
    PspChecks: pspChecks,
    PspChecksLatest: pspChecksLatest,
  },
  texts: {
    PspChecksRequest: {
      checks: "What is checked, in the order of the answer: 1 to 50. Each counts as a request in the limit.",
      "checks[].id": "The bank's own name for it, given back: at most 128 characters.",
      "checks[].eIDAS": "The certificate, in the form of the header `eidas`.",
      "checks[].jurisdictions": "Countries where the bank holds accounts: 1 to 31, as at GET /v1/psp/eidas.",
    },
    PspChecks: {
      data: "One element for each that was asked, in its order.",
      "data[].id": "The id of the request. Absent if it had none.",
      "data[].results": "One for each jurisdiction, in its order.",
      "data[].results[].jurisdiction": "The country in two capitals of ISO 3166-1; null if it is none.",
      "data[].results[].result": "As GET /v1/psp/eidas answers it.",
      ...at("data[].results[]", ERRORS),
      "data[].results[].errors": "Why there is no result for this jurisdiction.",
      ...at("data[]", ERRORS),
      "data[].errors": "Why this element was not checked. The others were.",
    },
  },
};
