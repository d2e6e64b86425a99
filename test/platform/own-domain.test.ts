/** A deployment at a domain of its own, without workers.dev: as docs/operate.md has it, and the commands on it. */

import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CONFIGURATION } from "../cli/own-configuration.ts";
import { platform } from "./deployed-platform.ts";

// loaded behind what they read of the environment
const { run } = await import("../cli/run-here.ts");
const { deployHere } = await import("./deploy-here.ts");

test("the domain is bound, workers.dev ends, and commands with --remote need neither", async () => {
  const text = readFileSync(CONFIGURATION, "utf8")
    .replace("workers_dev = true\n", "")
    .replace(/^# (workers_dev = false|preview_urls = false|routes = \[| {2}\{ pattern.*|\]$)/gm, "$1")
    .replace('BASE_URL = ""', 'BASE_URL = "https://gate.bank.example"');
  writeFileSync(CONFIGURATION, text);
  expect(await deployHere()).toEqual({
    ...{ code: 0, stdout: expect.stringContaining("ask https://gate.bank.example/health"), stderr: "" },
  });
  expect(platform.account.scripts.get("psp-gate")).toMatchObject({
    isPublic: false,
    domains: ["gate.bank.example", "gate-ops.bank.example"],
  });
  for (const args of [["fi", "list"], ["key", "list"], ["status"]]) {
    platform.fail(null);
    const { stdout, stderr } = await run(...args, "--remote", "--json");
    expect({ args, stderr, read: JSON.parse(stdout) }).toEqual({ args, stderr: "", read: expect.any(Object) });
    expect(platform.calls.filter((call) => call.includes("subdomain"))).toEqual([]);
  }
});
