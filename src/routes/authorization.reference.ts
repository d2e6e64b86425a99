/** Redirect records, which both flows answer. */
import { DATA, ERRORS } from "../reference/field-texts.ts";
import type { Resource } from "../reference/operation.ts";
import { redirectRecord, refusedRedirectRecord } from "./authorization.answer.ts";

const REDIRECT = {
  data: DATA,
  "data.redirect_uri": "The address to which the bank sends the customer, and its parts.",
  "data.redirect_uri.parameters": "What is added to the query of the redirect URI.",
  "data.redirect_uri.parameters.state": "The state of the request. Absent if it had none.",
  "data.redirect_uri.full_uri": "The whole address, percent-encoded: send the customer there.",
};

export const AUTHORIZATION: Resource = {
  operations: {},
  answers: {
    RedirectRecord: redirectRecord,
    RefusedRedirectRecord: refusedRedirectRecord,
  },
  texts: {
    RedirectRecord: {
      ...REDIRECT,
      "data.redirect_uri.base_uri": "The redirect URI of the request.",
      "data.redirect_uri.parameters.code": "The authorization code: for 60 seconds, for one exchange.",
    },
    RefusedRedirectRecord: {
      ...REDIRECT,
      "data.redirect_uri.base_url": "The redirect URI of the request; in this form the key ends in `url`.",
      "data.redirect_uri.parameters.error":
        "OAuth's error for the PSP (RFC 6749 section 4.1.2.1): `invalid_scope` if it may not use the scope, `access_denied` if the consent or the bank does not allow it.",
      "data.redirect_uri.parameters.error_description": "The reason for the PSP's developers, in ASCII.",
      ...ERRORS,
      errors: "The same refusal for the bank.",
    },
  },
};
