/** A deployment at a domain of its own, without workers.dev: as docs/operate.md has it, and the commands on it. */
import { CONFIGURATION } from "../cli/own-configuration.ts";
import "../cli/own-state.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runAdmin } from "../cli/admin-command.ts";
import { platform } from "./deployed-platform.ts";
import { runThere } from "./run-there.ts";

test("the domain is bound, workers.dev ends, and commands with --remote need neither", async () => {
  const text = readFileSync(CONFIGURATION, "utf8")
    .replace("workers_dev = true\n", "")
    .replace(/^# (workers_dev = false|preview_urls = false|routes = \[| {2}\{ pattern.*|\]$)/gm, "$1")
    .replace('BASE_URL = ""', 'BASE_URL = "https://gate.bank.example"');
  writeFileSync(CONFIGURATION, text);
  const environment = { ...platform.environment, CONFIGURATION };
  const { code, output } = await runThere("deploy", [], environment);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining("ask https://gate.bank.example/health"),
  });
  expect(platform.account.scripts.get("psp-gate")).toMatchObject({
    isPublic: false,
    domains: ["gate.bank.example", "gate-ops.bank.example"],
  });
  for (const args of [["fi", "list"], ["key", "list"], ["status"]]) {
    platform.fail(null);
    const { stdout, stderr } = await runAdmin(environment, ...args, "--remote", "--json");
    expect({ args, stderr, read: JSON.parse(stdout) }).toEqual({ args, stderr: "", read: expect.any(Object) });
    expect(platform.calls.filter((call) => call.includes("subdomain"))).toEqual([]);
  }
});
