/** The sandbox of a deployed staging: its PSPs and certificates, the CA's secret, and that production has nothing of it. */
import "../cli/own-state.ts";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { GUIDES, readGuide } from "../../src/reference/guides.ts";
import { STATE_DIR } from "../cli/own-state.ts";
import { isOfStaging } from "../spec/guide-run.ts";
import { deployThere, platform } from "./deployed-platform.ts";

// loaded behind what they read of the environment
const { json, run } = await import("../cli/run-here.ts");

const PSP = "PSDXX-TEST-009001";
const THERE = ["--env", "staging"] as const;

beforeAll(() => deployThere(null, "staging"));

test("a PSP and its certificates are made in staging, each refused for what is wrong with it", async () => {
  expect(await json("sandbox", "psp", "add", "--name", "My PSP", "--number", PSP, ...THERE)).toMatchObject({
    number: PSP,
  });
  const folder = join(STATE_DIR, "made");
  const verdict = async (...args: string[]) => {
    const made = await json("sandbox", "certificate", "--psp", PSP, "--out", folder, ...args, ...THERE);
    const { eIDAS, decision } = await json("psp", "check", made.certificate, "--jurisdiction", "XX", ...THERE);
    return [...Object.values(eIDAS.validity), decision.payments.allowed];
  };
  expect(await verdict()).toEqual([true, true, true, true, true]);
  expect(await verdict("--revoked")).toEqual([true, true, false, true, false]);
  expect(await verdict("--expired")).toEqual([true, false, false, false, false]);
  expect(await verdict("--unlisted")).toEqual([false, false, false, true, false]);
});

test("the guides' commands for staging run as they are shown", async () => {
  const guides = (await Promise.all(GUIDES.map(readGuide))).join("\n");
  const blocks = [...guides.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, text = ""]) => text).filter(isOfStaging);
  const lines = blocks.flatMap((text) => text.split("\n")).filter((line) => !line.startsWith("#"));
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    const [npm, ...args] = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
    expect([npm, ...args.splice(0, 3)]).toEqual(["npm", "run", "admin", "--"]);
    const there = args.includes("certificate") ? ["--out", join(STATE_DIR, "guide")] : [];
    const { code, stderr } = await run(...args, ...there);
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: expect.any(String) });
  }
});

test("the CA's key is in a file for its owner alone, and a secret of staging", async () => {
  const file = join(STATE_DIR, ".sandbox-ca.staging");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const held = (name: string) => platform.account.scripts.get(name)?.secrets.get("SANDBOX_CA");
  expect(held("psp-gate-staging")).toBe((await readFile(file, "utf8")).trim());
  expect(held("psp-gate")).toBeUndefined();
});

test("production has nothing of it, and refuses each command without a call", async () => {
  const [production] = platform.account.stores.namespaces;
  expect([...(production?.values.keys() ?? [])].filter((key) => /XX|sandbox/.test(key))).toEqual([]);
  platform.fail(null);
  for (const args of [
    ["psp", "add", "--name", "A"],
    ["psp", "list"],
    ["certificate", "--psp", PSP],
  ]) {
    const { code, stderr } = await run("sandbox", ...args, "--remote");
    expect([code, stderr]).toEqual([1, expect.stringContaining("production has no sandbox")]);
  }
  expect(platform.calls).toEqual([]);
});
