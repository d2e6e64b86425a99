/**
 * The guide for pipelines: its commands, and the workflows of GitHub Actions and GitLab as their runners run them, beside a clone
 * that is installed. They start on one state, one after the other.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type Block, compareAnswer, readBlocks } from "../../src/cli/demo/guide-steps.ts";
import { GUIDES, readGuide } from "../../src/reference/guides.ts";
import { runCommands } from "../spec/guide-run.ts";
import { ROOT } from "../spec/service.ts";
import { STATE_DIR } from "./own-state.ts";

const folder = mkdtempSync(join(tmpdir(), "psp-gate-pipeline-"));
let blocks: Block[];
beforeAll(async () => {
  symlinkSync(ROOT, join(folder, "psp-gate"));
  const guide = GUIDES.find(({ name }) => name === "pipelines");
  if (!guide) throw new Error("there is no such guide");
  blocks = readBlocks(await readGuide(guide)).filter(({ lang }) => lang !== null);
});
afterAll(() => rmSync(folder, { recursive: true }));

const find = (lang: string, nth = 0): Block =>
  blocks.filter((block) => block.lang === lang)[nth] ?? expect.unreachable(`block ${nth} of ${lang}`);

/** As both runners do: a script in a file, without a terminal. `more`: of the environment. */
function runScript(script: string, more: Readonly<Record<string, string>>) {
  const file = join(mkdtempSync(join(folder, "script-")), "script.sh");
  writeFileSync(file, script);
  const env = { ...process.env, STATE_DIR, TMPDIR: folder, ...more };
  const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", file], {
    ...{ cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  });
  return { status, stdout, stderr };
}

const served = (address: string): Promise<boolean> =>
  fetch(`${address}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

test("its commands start the service, ask it, and end it", async () => {
  const [output = ""] = await runCommands([find("sh").text], STATE_DIR);
  expect(compareAnswer(find("json"), output)).toEqual([]);
});

interface Step {
  readonly name?: string;
  readonly run?: string;
}

test("GitHub: the steps after the installation; a second start on the same state ends its step and says why", async () => {
  const { jobs } = parse(find("yaml").text) as { jobs: { test: { steps: readonly Step[] } } };
  const steps = new Map(jobs.test.steps.map(({ name = "", run }) => [name, run]));
  expect([...steps.keys()]).toEqual(["", "install", "start", "test", "stop"]);
  const file = join(folder, "github-env");
  writeFileSync(file, "");
  const known = () =>
    Object.fromEntries(
      readFileSync(file, "utf8")
        .split("\n")
        .map((line) => line.split("=", 2) as [string, string]),
    );
  const run = (name: string) => runScript(steps.get(name) ?? "", { GITHUB_ENV: file, ...known() });

  expect(run("start")).toMatchObject({ status: 0, stderr: "" });
  const { GATE = "" } = known();
  try {
    expect(JSON.parse(run("test").stdout)).toMatchObject({ status: "up" });
    const again = run("start");
    expect([again.status, again.stdout]).toEqual([1, expect.stringContaining("another npm start serves the folder")]);
  } finally {
    expect(run("stop")).toMatchObject({ status: 0 });
  }
  await expect.poll(() => served(GATE), { timeout: 60_000, interval: 200 }).toBe(false);
});

test("GitLab: the lines after the installation are one script", async () => {
  const { test: job } = parse(find("yaml", 1).text) as { test: { script: readonly string[] } };
  const [clone = "", install = "", ...lines] = job.script;
  expect([clone, install]).toEqual([expect.stringMatching(/^git clone /), expect.stringMatching(/^npm .* ci /)]);
  const { status, stdout } = runScript([...lines, 'echo; echo "$GATE"'].join("\n"), {});
  const [answer = "", address = ""] = stdout.trim().split(/\n+/);
  expect([status, JSON.parse(answer)]).toEqual([0, expect.objectContaining({ status: "up" })]);
  await expect.poll(() => served(address), { timeout: 60_000, interval: 200 }).toBe(false);
});
