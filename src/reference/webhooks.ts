/** What the service sends to a webhook: for each event its payload and an example. */

import { type EventList, KINDS } from "../routes/events.answer.ts";
import examples from "../routes/events.examples.json" with { type: "json" };
import type { OpenApiDocument, OpenApiParameter } from "./open-api.ts";

/** Each type's, as the sandbox told it: test/worker/reference/events.test.ts has it told again, and compares. */
export const EVENT_EXAMPLES = examples as readonly unknown[] as EventList["data"];

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
    Object.entries(KINDS).map(([type, { name, summary, description }]) => {
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
