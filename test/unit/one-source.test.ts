/**
 * One clock, one source of randomness, one writer of errors: what the whole design leans on. The client for banks is a
 * package of its own: it has a monotonic clock for its timeouts, and chance in the waits between its attempts.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "../../src");
const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));

const filesWith = (pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(readFileSync(join(SOURCE, file), "utf8"))).sort();

test.each([
  [
    "the clock is read",
    /Date\.now\(|new Date\(\)|performance\.now\(/,
    // what the client verifies without `now` is verified now
    ["client/call.ts", "client/verify-answer.ts", "client/verify-webhook.ts", "platform/clock.ts"],
  ],
  [
    "randomness is made",
    /getRandomValues|randomUUID|randomBytes|Math\.random/,
    ["client/answer.ts", "platform/secrets.ts"],
  ],
  ["errors are written", /link: `/, ["http/errors/error-response.ts"]],
])("%s in one file only", (_, pattern, expected) => {
  expect(filesWith(pattern)).toEqual(expected);
});
