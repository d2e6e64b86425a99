/** The runbook's commands: each exists with its options, and what is safe on local stores is run there, page by page. */
// before src/cli
import "./in-process.ts";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { json, run } from "./run-here.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = "docs/runbook";
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const pages = globSync(`${FOLDER}/*.md`, { cwd: ROOT }).filter((path) => !path.endsWith("README.md"));

/** The words of a command line, without the quotation marks of a shell. */
const wordsOf = (line: string): string[] => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""));
const commandsOf = (path: string): string[][] =>
  [...read(path).matchAll(/^npm run admin -- (.+)$/gm)].map(([, line = ""]) => wordsOf(line));
const nameOf = ([noun = "", verb = ""]: readonly string[]): string[] =>
  NOUNS.has(noun) || isBelowBackup(noun, verb) ? [noun, verb] : [noun];
/** What both know, as --remote, is in the help of `backup` alone. */
const isBelowBackup = (noun: string, verb: string): boolean => noun === "backup" && verb === "bookmark";

const NOUNS = new Set([
  "account",
  "audit",
  "database",
  "evidence",
  "fi",
  "key",
  "psp",
  "register",
  "signing-key",
  "trust",
  "webhook",
]);
const ALL = pages.flatMap((path) => commandsOf(path).map((words) => [path, words.join(" "), words] as const));

test("every page says what is seen, what to run and what is true afterwards, in 20 to 40 lines", () => {
  expect(pages.length).toBeGreaterThanOrEqual(10);
  for (const path of pages) {
    const headings = [...read(path).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings, path).toEqual(["What is seen", "What to run", "What is true afterwards"]);
    const lines = read(path).trimEnd().split("\n").length;
    expect(lines, path).toBeGreaterThanOrEqual(20);
    expect(lines, path).toBeLessThanOrEqual(40);
    expect(read(`${FOLDER}/README.md`), path).toContain(`(${path.slice(FOLDER.length + 1)})`);
  }
});

describe("each command is one of the command line", () => {
  test.each(ALL)("%s: %s", async (_, __, words) => {
    const name = nameOf(words);
    const { code, stdout: own } = await run(...name, "--help");
    expect(code).toBe(0);
    const stdout = own + (name[0] === "backup" && name.length > 1 ? (await run("backup", "--help")).stdout : "");
    expect(stdout).toContain(`Usage: npm run admin -- ${name.join(" ")} `);
    const options = words.filter((word) => word.startsWith("--"));
    expect(options.filter((option) => !new RegExp(`${option}(?![\\w-])`).test(stdout))).toEqual([]);
    // values of options, and operands, which the usage names
    const [, usage = ""] = /^Usage: (.+(?:\n {2,}\S.*)*)/m.exec(stdout) ?? [];
    const required = [...usage.matchAll(/<[\w. ]+>/g)].length;
    const operands = words.slice(name.length).filter((word, i, all) => {
      const before = all[i - 1];
      const takesIt = before?.startsWith("--") && new RegExp(`${before}(?:, --[\\w-]+)* <`).test(stdout);
      return !word.startsWith("--") && !takesIt;
    });
    expect(operands.length).toBeGreaterThanOrEqual(required);
    if (!/[<[](?:\w|\.)+[>\]]/.test(usage.replace("[options]", ""))) expect(operands).toEqual([]);
  });
});

/** Those that read or change D1 and KV alone; the rest needs the network, a running service, or files of a bad day. */
const LOCAL = /^(?:fi (?:list|disable|enable|rotate|set|remove)|register list|webhook list|status|database list)\b/;

describe("what is safe runs on local stores", () => {
  let clientId = "";
  beforeAll(async () => {
    const made = await json("fi", "add", "--name", "My Bank", "--reference", "PSDFI-FINFSA-0001");
    clientId = made.client_id;
  });

  // the last removes the institution
  const safe = ALL.filter(([, line]) => LOCAL.test(line)).toSorted(([a], [b]) => rank(a) - rank(b));
  test("they are of most pages", () => expect(new Set(safe.map(([path]) => path)).size).toBeGreaterThanOrEqual(8));

  test.each(safe)("%s: %s", async (_, line, words) => {
    const local = words.filter((word) => word !== "--remote").map((word) => (word === "CLIENT_ID" ? clientId : word));
    const { code, stdout, stderr } = await run(...local);
    // degraded: nothing is loaded here; a removal without --yes only says what goes
    const expected = /^status/.test(line) || (/^fi remove/.test(line) && !words.includes("--yes")) ? [0, 1] : [0];
    expect(expected, stdout + stderr).toContain(code);
    expect(() => JSON.parse(stdout)).not.toThrow();
  });

  test("afterwards the institution that left is gone", async () => {
    expect((await json("fi", "list")).map((fi: { fi_reference_id: string }) => fi.fi_reference_id)).toEqual([]);
  });
});

function rank(path: string): number {
  return path.includes("institution-leaves") ? 1 : 0;
}
