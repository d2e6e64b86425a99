/** What the service sends to a webhook: for each event its payload and an example. */

import type { EVENTS, EventList } from "../http/answers/event.ts";
import examples from "./event-examples.json" with { type: "json" };
import type { OpenApiDocument, OpenApiParameter } from "./open-api.ts";

/** Each type's, as the sandbox told it: test/worker/reference/events.test.ts has it told again, and compares. */
export const EVENT_EXAMPLES = examples as readonly unknown[] as EventList["data"];

type EventName = keyof typeof EVENTS;

interface Told {
  readonly name: EventName;
  readonly summary: string;
  readonly description: string;
}

/** By type. */
const TOLD: Readonly<Record<string, Told>> = {
  "psp.status_changed": {
    name: "PspStatusChanged",
    summary: "A home register says something else of a PSP",
    description:
      "Its status, payment services or passports have changed in its home register. Codes and tokens follow the register anyway.",
  },
  "qtsp.withdrawn": {
    name: "QtspWithdrawn",
    summary: "The trusted list no longer vouches for a PSP's certificate",
    description: "A check now says no to a certificate that the PSP showed.",
  },
  "psp.certificate_revoked": {
    name: "PspCertificateRevoked",
    summary: "A check saw a revoked certificate of a PSP",
    description: "A check of any institution; once for each certificate.",
  },
  "psp.code_used_twice": {
    name: "PspCodeUsedTwice",
    summary: "A code was sent again after it had given a token",
    description: "Somebody else may have the code, so its token is revoked. Once for each code.",
  },
  "source.stale": {
    name: "SourceStale",
    summary: "A register or a trusted list is older than it may be",
    description: "A register with one of the institution's PSPs, or any trusted list.",
  },
  "webhook.test": {
    name: "WebhookTest",
    summary: "The operator tests the webhook",
    description: "By the command `webhook test`, or in the console. It has no news.",
  },
};

const header = (name: string, description: string, schema: object, example: string): OpenApiParameter => ({
  ...{ name, in: "header", required: true, description, schema, example },
});

/** Standard Webhooks. */
const DELIVERY_HEADERS = [
  header(
    "webhook-id",
    "The event's id, the same each time that it is sent.",
    { type: "string" },
    "evt_hCHNWzRQJkbHCKt3EPxBeHKWw4_3k5Wi",
  ),
  header(
    "webhook-timestamp",
    "When it is sent: seconds since 1970.",
    { type: "string", pattern: "^\\d+$" },
    "1795500000",
  ),
  header(
    "webhook-signature",
    "`v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by dots. While a secret is rotated there are two, with a blank between them.",
    { type: "string", pattern: "^v1,[A-Za-z0-9+/=]{44}( v1,[A-Za-z0-9+/=]{44})*$" },
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
];

export const webhooks = (): OpenApiDocument["webhooks"] =>
  Object.fromEntries(
    Object.entries(TOLD).map(([type, { name, summary, description }]) => {
      const value = EVENT_EXAMPLES.find((event) => event.type === type);
      const content = {
        "application/json": {
          schema: { $ref: `#/components/schemas/${name}` },
          examples: { delivered: { summary: "An event of this type", value } },
        },
      };
      const post = {
        operationId: `on${name}`,
        tags: ["Events"],
        ...{ summary, description },
        security: [],
        parameters: DELIVERY_HEADERS,
        requestBody: { required: true, content } as const,
        responses: {
          "2XX": {
            description: "The event is taken. Any other answer, or none within ten seconds: it is sent again later.",
          },
          "410": { description: "The receiver is gone: nothing more is sent there." },
        },
      };
      return [type, { post }];
    }),
  );
