/** Workers of the benches that stand in for the service's own: wrangler bundles none that lacks a class of wrangler.toml. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

test("the refresh's exports every class of a Durable Object", () => {
  const bound = [...read("wrangler.toml").matchAll(/^class_name = "(\w+)"$/gm)].map(([, name = ""]) => name);
  const exported = [...read("test/bench/refresh-worker.ts").matchAll(/^export \{ (\w+) \}/gm)].map(([, name]) => name);
  expect(bound.length).toBeGreaterThan(0);
  expect(bound.filter((name) => !exported.includes(name))).toEqual([]);
});
