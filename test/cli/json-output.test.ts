/** What scripts read: `--json` on the local stores. On a deployment's: test/platform/commands.test.ts. */
import "./in-process.ts";
import "./own-configuration.ts";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runEveryCommand } from "./every-command.ts";
import { STATE_DIR } from "./own-state.ts";
import { run } from "./run-here.ts";

test("with --json every command of the help prints one JSON document, or nothing and an error", async () => {
  // the one that `key remove` removes
  await writeFile(join(STATE_DIR, ".dev.vars"), "TOKEN_KEY_20260101T000000Z=a\n");
  await runEveryCommand(run, STATE_DIR, []);
});

test("trust import shows a list that is current as good, and its help explains every word that it prints", async () => {
  const certificate = join(import.meta.dirname, "../../fixtures/certificates/scenario-1.pem");
  const args = ["trust", "import", certificate, "--source", "OWN", "--jurisdiction", "XZ"];
  const { stdout: shown } = await run(...args, "--no-json");
  const { stdout: help } = await run("trust", "import", "--help");
  for (const [, word = ""] of shown.matchAll(/^ {2}(\w+)/gm))
    expect(help).toMatch(new RegExp(`^ {2}${word} {2,}`, "m"));
  const source = await readFile(join(import.meta.dirname, "../../src/cli/sources/trust-files.ts"), "utf8");
  for (const word of ["issued", "nextUpdate", "caQc", "skipped"]) {
    expect(source).toContain(word);
    expect(help).toMatch(new RegExp(`^ {2}${word} {2,}`, "m"));
  }
});

test.each(["bench", "paper"])("npm run %s has --help, and measures nothing for it", async (name) => {
  const main = join(import.meta.dirname, `../${name}/main.ts`);
  const { stdout } = await promisify(execFile)(process.execPath, [main, "--help"]);
  expect(stdout).toMatch(new RegExp(`^npm run ${name}`));
});
