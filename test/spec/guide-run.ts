/**
 * The guides promise what commands answer: every command of a guide is run as it is printed, by bash with curl and Node, and
 * its output compared with the answer below it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Marked } from "marked";
import { expect } from "vitest";
import { type Guide, readGuide } from "../../src/reference/guides.ts";
import { ROOT } from "./service.ts";

/** As the guides have it: the address of `npm start`. */
export const PRINTED = "http://127.0.0.1:8787";

export interface Block {
  readonly lang: string;
  readonly text: string;
}

export async function readBlocks(guide: Guide): Promise<Block[]> {
  const tokens = new Marked().lexer(await readGuide(guide));
  return tokens.flatMap((token) => (token.type === "code" ? [{ lang: token["lang"] ?? "", text: token["text"] }] : []));
}

/** Commands for a deployed staging: test/platform/sandbox.test.ts runs them. */
export const isOfStaging = ({ lang, text }: Block): boolean => lang === "sh" && text.includes("--env staging");

/** `state`: of the service that the commands speak to. */
export async function runBlocks(blocks: readonly Block[], state: string): Promise<void> {
  const commands = blocks.filter(({ lang }) => lang === "sh");
  expect(commands.length).toBeGreaterThan(0);
  const outputs = await run(
    commands.map(({ text }) => text),
    state,
  );
  expect(outputs).toHaveLength(commands.length);
  let answers = 0;
  for (const [i, { lang, text }] of blocks.entries()) {
    // settings of other programs
    if (lang === "sh" || lang === "conf") continue;
    const before = blocks[i - 1];
    if (before?.lang !== "sh") throw new Error(`an answer without its command: ${text}`);
    const output = outputs[commands.indexOf(before)]?.trim() ?? "";
    answers++;
    if (lang === "json")
      expect([output.slice(0, 200), compare(JSON.parse(text), JSON.parse(output), "answer")]).toEqual([
        output.slice(0, 200),
        [],
      ]);
    else expect(output).toMatch(new RegExp(`^${escapePattern(text).replaceAll("…", ".+")}$`));
  }
  expect(answers).toBeGreaterThan(0);
}

/** Runs the commands one after the other in one shell. Its output of each, or what it complained of. */
async function run(commands: readonly string[], state: string): Promise<string[]> {
  const MARK = "--- end of a command ---";
  const env = {
    ...process.env,
    PATH: `${join(ROOT, "node_modules/.bin")}:${process.env["PATH"]}`,
    STATE_DIR: state,
  };
  // a group of its own: what a guide leaves running ends with it
  const child = spawn("bash", ["-euo", "pipefail"], { cwd: ROOT, env, detached: true });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  child.stdin.end(commands.map((command) => `${command}\necho; echo '${MARK}'\n`).join(""));
  child.once("exit", () => endGroup(child.pid));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`a command ended with ${code}: ${complaints}\n${output}`);
  return output.split(MARK).slice(0, -1);
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGTERM");
  } catch {
    // nothing was left
  }
}

/** Everything that the promise names is in the answer; `…` stands for any text. */
function compare(promised: unknown, given: unknown, where: string): string[] {
  if (promised === "…") return typeof given === "string" && given !== "" ? [] : [`${where} is no text`];
  if (typeof promised !== "object" || promised === null)
    return promised === given ? [] : [`${where} is ${JSON.stringify(given)} and not ${JSON.stringify(promised)}`];
  if (typeof given !== "object" || given === null) return [`${where} is ${JSON.stringify(given)}`];
  const count = Array.isArray(promised) && Array.isArray(given) && promised.length !== given.length;
  if (count) return [`${where} has ${given.length} elements and not ${promised.length}`];
  return Object.entries(promised).flatMap(([key, value]) =>
    compare(value, (given as Record<string, unknown>)[key], `${where}.${key}`),
  );
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
