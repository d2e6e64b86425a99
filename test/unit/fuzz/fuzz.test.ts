/**
 * The fuzzer (test/fuzz/): what it found once stays mended, and a fixed run finds nothing.
 * The run is of a fixed number of inputs from a fixed seed, in a process of its own.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readFindings } from "../../fuzz/findings.ts";
import { findFault } from "../../fuzz/fuzz.ts";
import { makeTargets } from "../../fuzz/targets/targets.ts";

const FUZZ = join(import.meta.dirname, "../../fuzz");

const run = (script: string, ...options: string[]) => {
  // else the inputs would differ with the files of others that are at hand
  const env = { ...process.env, SHARED_DATA: "none" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options], {
    encoding: "utf8",
    env,
  });
  return { status, said: `${stdout}${stderr}` };
};

describe("what was found once holds now", async () => {
  const targets = await makeTargets();
  test.each(readFindings())("$file: $fault", async ({ target, input }) => {
    const found = targets.find(({ name }) => name === target);
    expect(found && (await findFault(found, input))).toBeNull();
  });
});

test("every reader holds its properties for the inputs of one seed", () => {
  const { status, said } = run(join(import.meta.dirname, "one-turn.ts"), "28");
  const { inputs, findings } = JSON.parse(said);
  expect({ status, findings }).toEqual({ status: 0, findings: [] });
  expect(inputs).toBeGreaterThan(5_000);
});

test("the command, guided by coverage, says what it tried", () => {
  const { status, said } = run(join(FUZZ, "main.ts"), "--turns", "1", "--seed", "28", "--target", "json-body");
  expect(said).toMatch(/^json-body +512 inputs, +[1-9]\d* kept\n512 inputs, seed 28, 0 findings$/m);
  expect(status).toBe(0);
});
