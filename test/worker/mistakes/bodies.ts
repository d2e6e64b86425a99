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
  {
    what: "a body that is too large",
    send: () => send(TOKENS, { body: { account_id: "a".repeat(65_537) } }),
    status: 400,
    errors: [["body_too_large", /^The body is larger than 64 KiB\. Send at most 64 KiB$/]],
  },
];
