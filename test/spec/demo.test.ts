/** `npm run demo` against a running service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, inject, test } from "vitest";
import { findFreePort } from "../free-port.ts";
import { ROOT } from "./service.ts";

async function runDemo(...options: string[]): Promise<{ code: number; output: string }> {
  // the service that was started in this state: its address is noted there
  const env = { ...process.env, STATE_DIR: inject("serviceState") };
  const child = spawn("npm", ["run", "-s", "demo", "--", ...options], { cwd: ROOT, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [code] = (await once(child, "exit")) as [number];
  return { code, output };
}

test("the demo walks through guides, again and again, and ends with evidence and events", async () => {
  for (const options of [[], ["--no-evidence"]]) {
    const { code, output } = await runDemo(...options);
    expect(output.includes("evidence verify")).toBe(options.length === 0);
    expect(output).not.toContain("✗");
    expect(output).toMatch(/(\d+) of \1 steps as they should be/);
    expect(code).toBe(0);
  }
});

test("the demo exits with 1 when an answer is not what its guide says, and says which", async () => {
  const { code, output } = await runDemo("--secret", "wrong");
  expect(output).toContain("credentials_invalid");
  expect(output).toContain("✗ step 2: answer.eIDAS is undefined");
  expect(output).toContain("1 of 2 steps as they should be");
  expect(code).toBe(1);
});

test("the demo exits with 1 when there is no service", async () => {
  const nowhere = `http://127.0.0.1:${await findFreePort()}`;
  const { code, output } = await runDemo("--base-url", nowhere);
  expect(output).toContain(`error: no answer from ${nowhere}: it walks through`);
  expect(code).toBe(1);
});

test.each([
  ["a guide that there is not", ["nonsense"], "error: there is no guide nonsense; there are first-check, "],
  [
    "a folder without certificates",
    ["--certificates", "/nowhere", "core-flow"],
    "ENOENT: no such file or directory, open '/now",
  ],
])("the demo exits with 1 and a sentence: %s", async (_, options, said) => {
  const { code, output } = await runDemo(...options);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(said) });
});
