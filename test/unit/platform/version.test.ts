/** One version: what the service says of itself is what the package is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NEWEST_MIGRATION } from "../../../src/platform/schema-version.ts";
import { VERSION } from "../../../src/platform/version.ts";

const read = (file: string) => readFileSync(join(import.meta.dirname, "../../..", file), "utf8");
const MIGRATIONS = readdirSync(join(import.meta.dirname, "../../../src/migrations"))
  .filter((name) => name.endsWith(".sql"))
  .sort();

test("src/platform/version.ts has the version of package.json and of its lockfile", () => {
  const versionIn = (file: string) => JSON.parse(read(file)).version;
  expect([versionIn("package.json"), versionIn("package-lock.json")]).toEqual([VERSION, VERSION]);
});

test("src/platform/schema-version.ts has the newest migration", () => {
  expect(MIGRATIONS.at(-1)).toBe(NEWEST_MIGRATION);
});

test("each migration after the baseline says in its name whether older releases may write beside it", () => {
  const [baseline, ...later] = MIGRATIONS;
  expect(baseline).toBe("0001_baseline.sql");
  for (const name of later) expect(name).toMatch(/^\d{4}_[a-z0-9_]+\.(additive|breaking)\.sql$/);
});

test("the log line in docs/operate.md is one that this version prints", () => {
  const [line = "{}"] = /^\{"time":.*$/m.exec(read("docs/operate.md")) ?? [];
  expect(JSON.parse(line).version).toBe(VERSION);
});
