/** One version: what the service says of itself is what the package is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "../../src/version.ts";

test("src/version.ts has the version of package.json and of its lockfile", () => {
  const versionIn = (file: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, "../..", file), "utf8")).version;
  expect([versionIn("package.json"), versionIn("package-lock.json")]).toEqual([VERSION, VERSION]);
});
