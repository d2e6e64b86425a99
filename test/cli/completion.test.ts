/** The completion scripts, in the shells themselves: bash is everywhere; zsh and fish where they are installed. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SHELLS } from "../../src/cli/completion-scripts.ts";
import { STATE_DIR } from "./own-state.ts";
import { run } from "./run-here.ts";

const ROOT = join(import.meta.dirname, "../..");

const scripts = new Map<string, string>();
for (const shell of SHELLS) {
  const path = join(STATE_DIR, `completion.${shell}`);
  writeFileSync(path, (await run("completion", shell)).stdout);
  scripts.set(shell, path);
}

/** What bash offers behind each of these lines; the last word is the one under the cursor. */
function complete(...lines: string[][]): string[][] {
  // the function that `complete` registered, called as readline calls it
  const program = `source "$1"; shift
    [[ "$(complete -p psp-gate)" =~ -F\\ ([a-z_]+) ]] || exit 1
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "\${BASH_REMATCH[1]}" psp-gate; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines.map((words) =>
    execFileSync("bash", ["--norc", "-c", program, "bash", scripts.get("bash") ?? "", "psp-gate", ...words], {
      cwd: ROOT,
      encoding: "utf8",
    })
      .split("\n")
      .filter(Boolean),
  );
}

/** The names of the commands or options in a help text. */
async function listed(part: "Commands" | "Options", ...path: string[]): Promise<string[]> {
  const { stdout } = await run(...path, "--help");
  const lines = new RegExp(`^${part}:\\n((?: .*\\n)*)`, "m").exec(stdout)?.[1]?.split("\n") ?? [];
  if (part === "Commands") return lines.flatMap((line) => /^ {2}([a-z][a-z-]*)/.exec(line)?.[1] ?? []);
  return lines.flatMap((line) => /^ {2}(-[\w, -]+)/.exec(line)?.[1]?.match(/--[\w-]+/g) ?? []);
}

describe("bash offers", () => {
  test("every command and every option that --help lists, and no other", async () => {
    const [nouns = []] = complete([""]);
    expect(nouns.toSorted()).toEqual((await listed("Commands")).filter((name) => name !== "help").toSorted());
    expect(nouns.length).toBeGreaterThan(10);
    for (const noun of nouns) {
      const verbs = (await listed("Commands", noun)).filter((name) => name !== "help");
      if (verbs.length > 0) expect(complete([noun, ""])[0]?.toSorted()).toEqual(verbs.toSorted());
      for (const path of [[noun], ...verbs.map((verb) => [noun, verb])])
        expect(complete([...path, "--"])[0]?.toSorted()).toEqual((await listed("Options", ...path)).toSorted());
    }
  });

  test.each<[what: string, words: string[], offered: string[]]>([
    ["what begins like the word", ["re"], ["register", "refresh", "restore"]],
    ["the choices of an option", ["refresh", "--only", ""], ["trust", "eba", "crl"]],
    ["those behind an equals sign", ["status", "--env", "=", "s"], ["staging"]],
    ["those right behind it", ["status", "--env", "="], ["production", "staging"]],
    ["the choices of an argument", ["completion", "f"], ["fish"]],
    ["files for a file", ["psp", "check", "package.j"], ["package.json"]],
    ["nothing for a text", ["fi", "add", "--name", ""], []],
    [
      "options of the command, not of a value that is called like one",
      ["fi", "add", "--name", "key", "--cl"],
      ["--client"],
    ],
    ["nothing where there is no such thing", ["moon", "--phase"], []],
  ])("%s", (_, words, offered) => {
    expect(complete(words)).toEqual([offered]);
  });

  test("and its psp-gate runs this command line, from any folder", async () => {
    const program = 'source "$1"; psp-gate --version; psp-gate fi destroy; echo $?';
    const result = spawnSync("bash", ["--norc", "-c", program, "bash", scripts.get("bash") ?? ""], {
      cwd: STATE_DIR,
      encoding: "utf8",
    });
    expect(result.stdout).toBe(`${(await run("--version")).stdout}2\n`);
  });
});

const isInstalled = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

describe.each(["zsh", "fish"] as const)("for %s", (shell) => {
  test.runIf(isInstalled(shell))("the shell finds no fault in the script", () => {
    const { status, stderr } = spawnSync(shell, ["-n", scripts.get(shell) ?? ""], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });

  test("the script names every command and every option with its description, quotes closed", async () => {
    const { stdout } = await run("completion", shell);
    for (const noun of await listed("Commands"))
      for (const word of [noun, ...(await listed("Commands", noun))])
        if (word !== "help") expect(stdout).toContain(word);
    for (const option of await listed("Options", "fi", "rotate"))
      expect(stdout).toContain(shell === "zsh" ? `'${option}[` : ` -l ${option.slice(2)} `);
    // bash reads zsh's quotes and functions as its own, but not fish's blocks
    if (shell === "zsh") expect(spawnSync("bash", ["-n", scripts.get(shell) ?? ""]).status).toBe(0);
    else expect(stdout.match(/^(?:function|\s+for|\s+if)\b/gm)).toHaveLength(stdout.match(/^\s*end$/gm)?.length ?? -1);
  });
});

test("a shell that there is no script for is refused, naming those that there are", async () => {
  const { code, stderr } = await run("completion", "cmd");
  expect(code).toBe(2);
  expect(stderr).toContain("bash, zsh, fish");
});
