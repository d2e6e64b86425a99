/** Introspection. */
import { PSP_ID, REASONS, TOKEN_TYPE } from "../reference/field-texts.ts";
import type { Resource } from "../reference/operation.ts";
import { activeToken, inactiveToken } from "./introspect.answer.ts";
import { body } from "./introspect.ts";

export const INTROSPECTION: Resource = {
  operations: {
    "POST /v1/introspect": {
      id: "introspectToken",
      tag: "Introspection",
      summary: "Introspect a token",
      description:
        "Says whether a token is active, and what it allows (RFC 7662). Of a token that is not active nothing else is said. With the certificate of the PSP that shows the token, a stolen token is worth nothing. The body may be a form, too. Repeating the request is harmless.",
      psp: "optional",
      body: "IntrospectionRequest",
      answers: ["ActiveToken", "InactiveToken"],
      success: "What the token allows, or that it is not active.",
    },
  },
  requests: {
    IntrospectionRequest: body(),
  },
  answers: {
    ActiveToken: activeToken,
    InactiveToken: inactiveToken,
  },
  texts: {
    IntrospectionRequest: {
      token: "The token that a PSP has shown, at most 8,192 characters. Other parameters of RFC 7662 are ignored.",
    },
    ActiveToken: {
      active: "True: the token may be used.",
      scope: "What it is for: `payments` or `accounts`.",
      client_id: "The same as `psp_id`: a PSP has no other identifier.",
      psp_id: PSP_ID,
      account_id: "The account that it gives access to.",
      consent_id: "Its consent. Absent in the core flow.",
      permissions: "What may be read by its account access consent, in the order of its creation's request.",
      transaction_from_date_time: "The first instant of which transactions may be read. Absent: the earliest.",
      transaction_to_date_time: "The last one. Absent: the latest.",
      iat: "When it was issued: seconds since 1970.",
      exp: "When it expires: seconds since 1970.",
      token_type: TOKEN_TYPE,
      cnf: "What confirms who shows the token (RFC 8705). Absent if no certificate was sent: then nobody looked at one.",
      "cnf.x5t#S256":
        "SHA-256 in base64url of the certificate in `eidas`, which is the token's PSP's. A renewed one of the same PSP is confirmed, too.",
      psp: "The PSP as its home register has it now, and whether it may still use the scope.",
      "psp.legal_name": "Its name in the home register; null if the register has none or cannot be read.",
      "psp.standing":
        "Its status there for the scope's payment service; null if that documents none, or cannot be read.",
      "psp.decision": "Whether the PSP may use the scope now. The token is active all the same.",
      "psp.decision.allowed": "True exactly if there are no reasons.",
      "psp.decision.reasons": REASONS,
      "psp.decision.reasons[].code": "The reason, for programs.",
      "psp.decision.reasons[].message": "The reason, for people.",
      "psp.decision.reasons[].whose":
        "Who can remove it: the PSP, its QTSP, the national authority, or the operator, whose data is missing or unclear (`source`).",
    },
    InactiveToken: {
      active: "False: expired, revoked, unknown, of another bank, of a blocked account, or shown by another PSP.",
    },
  },
};
