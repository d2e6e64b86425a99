/** Whether a request of a PSP may pass a gateway. */

import type { Resource } from "../reference/operation.ts";
import { ACCESS_HEADERS, query } from "./access.ts";

const text = { type: "string", minLength: 1 };

export const ACCESS: Resource = {
  operations: {
    "GET /v1/access": {
      id: "checkAccess",
      tag: "Introspection",
      summary: "Check access",
      description:
        "Tells a gateway in front of the bank's API whether a PSP's request may pass. 200 says yes, and headers say for whom. A challenge `Bearer` (RFC 6750) is for the PSP: 401 `invalid_token`, 403 `insufficient_scope`. Every other answer is for who runs the gateway: nothing passes, and the PSP is told 503. The rule is that of an introspection with a certificate. Answers leave no record in the ledger.",
      psp: "bearer",
      query: query(),
      answers: [],
      headers: ACCESS_HEADERS,
      refuses: {
        400: ["certificate_missing", "certificate_unreadable"],
        401: ["access_token_missing", "access_token_invalid"],
        403: ["insufficient_scope", "payment_service_invalid"],
      },
      success: "The request may pass. There is no body: the headers are for the bank's backend.",
      parameters: {
        scope: "What the request needs: `accounts` to read, `payments` to pay.",
        permission:
          "The permissions that the request needs, separated by blanks: all of them. `...Detail` holds `...Basic`. A token of the core flow has none.",
        account_id: "The account that the request is about. Without it the backend compares `account-id`.",
        standing:
          "`required`: a PSP that its home register does not entitle to the scope now is refused, also where the register says nothing of it.",
        max_age:
          "How old the answer may be, in seconds: 0 to 60. Above 0 one isolate of the service may answer from its memory, and a withdrawal is late by as many at most.",
      },
    },
  },
  headers: {
    "psp-id": {
      description: "The authorisation number of the PSP. What is not ASCII is percent-encoded.",
      required: true,
      schema: text,
      example: "PSDXX-TEST-000001",
    },
    "account-id": {
      description: "The account that the token gives access to, percent-encoded as in a path.",
      required: true,
      schema: text,
      example: "account-4711",
    },
    "consent-id": {
      description: "The consent of the token. Absent in the core flow.",
      schema: text,
      example: "0mwqxj5kb4tTqS1v9ZbJ8w",
    },
    permissions: {
      description: "What may be read by the account access consent, separated by blanks. Absent without one.",
      schema: text,
      example: "ReadAccountsBasic ReadBalances",
    },
    "transaction-from": {
      description: "The first instant of which transactions may be read: RFC 3339 in UTC. Absent: the earliest.",
      schema: text,
      example: "2026-01-01T00:00:00Z",
    },
    "transaction-to": {
      description: "The last one. Absent: the latest.",
      schema: text,
      example: "2026-12-31T23:59:59Z",
    },
    "expires-in": {
      description: "Whole seconds until the token expires.",
      required: true,
      schema: { type: "string", pattern: "^\\d+$" },
      example: "3599",
    },
  },
};
