/** Mistakes in the body as a whole. */
import { send } from "../samples.ts";
import type { Mistake } from "./mistake.ts";

const TOKENS = "POST /v1/oauth2/tokens";
const malformed = (what: string, body: string | Uint8Array, title: RegExp): Mistake => ({
  what: `a body that is ${what}`,
  send: () => send(TOKENS, { body }),
  status: 400,
  errors: [["body_malformed", title]],
});

const FORM_TYPE = "application/x-www-form-urlencoded";
const malformedForm = (what: string, body: string, title: RegExp): Mistake => ({
  what: `a form that is ${what}`,
  send: () => send("POST /v1/introspect", { headers: { "Content-Type": FORM_TYPE }, body }),
  status: 400,
  errors: [["body_malformed", title]],
});

export const BODY_MISTAKES: readonly Mistake[] = [
  malformed("empty", "", /^The body is empty$/),
  malformed(
    "JSON in a string",
    '"{\\"account_id\\":\\"a\\"}"',
    /^The body is a string that contains JSON: send the object itself/,
  ),
  malformed(
    "cut off",
    '{"account_id":"a"',
    /^The body is not JSON: at character 18 \(line 1, column 18\) .*; it ends there$/,
  ),
  malformed(
    "JSON with a comment",
    "{\n  // a\n}",
    /^The body is not JSON: at character 5 \(line 2, column 3\) .*; found "\/"$/,
  ),
  malformed("not UTF-8", Uint8Array.of(0x7b, 0x22, 0xe9), /^The body is not UTF-8: byte 3 is 0xE9$/),
  malformed(
    "JSON with a member twice",
    '{"account_id":"a","account_id":"b"}',
    /^The body has the member "account_id" twice/,
  ),
  malformed("a list", "[]", /^The body is an array, not an object$/),
  malformedForm(
    "JSON",
    '{"token":"s3cret"}',
    /^The body is JSON, but Content-Type is that of a form: send application\/json$/,
  ),
  malformedForm("one with the token twice", "token=s3cret&token=s3cret", /^The body has the parameter "token" twice$/),
  malformedForm("not percent-encoded", "token=s3cret%", /^Parameter 1 of the body is not percent-encoded UTF-8$/),
  ...["gzip", "br"].map(
    (coding): Mistake => ({
      what: `18: a body with the Content-Encoding ${coding}`,
      send: () =>
        send(TOKENS, { headers: { "Content-Encoding": coding }, body: Uint8Array.of(0x1f, 0x8b, 0x08, 0x00, 0x00) }),
      status: 400,
      errors: [
        [
          "body_malformed",
          new RegExp(
            `^The body has the Content-Encoding "${coding}", which is not taken: send it as it is, without this header$`,
          ),
        ],
      ],
    }),
  ),
  {
    what: "a form without the token",
    send: () => send("POST /v1/introspect", { headers: { "Content-Type": FORM_TYPE }, body: "access_token=s3cret" }),
    status: 400,
    errors: [["token_missing", /^token is missing: access_token was sent in its place$/]],
  },
  {
    what: "a form where the endpoint takes JSON or a form, declared as text",
    send: () => send("POST /v1/introspect", { headers: { "Content-Type": "text/plain" }, body: "token=s3cret" }),
    status: 400,
    errors: [
      [
        "content_type_invalid",
        /^Header Content-Type must be application\/json or application\/x-www-form-urlencoded, not "text\/plain"$/,
      ],
    ],
  },
  {
    what: "a body that is too large, where the endpoint has no 400",
    send: () => send("DELETE /v1/oauth2/tokens/{token}", { body: { account_id: "a".repeat(65_537) } }),
    status: 404,
    errors: [["body_too_large", /^The body is larger than 64 KiB\. Send at most 64 KiB$/]],
  },
  {
    what: "a body that is too large",
    send: () => send(TOKENS, { body: { account_id: "a".repeat(65_537) } }),
    status: 400,
    errors: [["body_too_large", /^The body is larger than 64 KiB\. Send at most 64 KiB$/]],
  },
];
