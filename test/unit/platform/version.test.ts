/** One version: what the service says of itself is what the package is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "../../../src/platform/version.ts";

const read = (file: string) => readFileSync(join(import.meta.dirname, "../../..", file), "utf8");

test("src/platform/version.ts has the version of package.json and of its lockfile", () => {
  const versionIn = (file: string) => JSON.parse(read(file)).version;
  expect([versionIn("package.json"), versionIn("package-lock.json")]).toEqual([VERSION, VERSION]);
});

test("the log line in docs/operate.md is one that this version prints", () => {
  const [line = "{}"] = /^\{"time":.*$/m.exec(read("docs/operate.md")) ?? [];
  expect(JSON.parse(line).version).toBe(VERSION);
});
