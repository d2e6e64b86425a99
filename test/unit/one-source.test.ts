/** One clock, one source of randomness, one writer of errors: what the whole design leans on. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "../../src");
const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));

const filesWith = (pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(readFileSync(join(SOURCE, file), "utf8"))).sort();

test.each([
  ["the clock is read", /Date\.now\(|new Date\(\)|performance\.now\(/, ["clock.ts"]],
  ["randomness is made", /getRandomValues|randomUUID|randomBytes|Math\.random/, ["secrets.ts"]],
  ["errors are written", /link: `/, ["errors.ts"]],
])("%s in one file only", (_, pattern, expected) => {
  expect(filesWith(pattern)).toEqual(expected);
});
