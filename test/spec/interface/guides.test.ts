/**
 * The guides promise what commands answer: every command of every guide is run against the sandbox as it is printed, by
 * bash with curl and Node, and its output compared with the answer below it.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Marked } from "marked";
import { describe, expect, inject, test } from "vitest";
import { LOCAL_ADDRESS } from "../../../src/reference/code-block.ts";
import { GUIDES, readGuide } from "../../../src/reference/guides.ts";
import { isOfStaging, runCommands } from "../guide-run.ts";
import { BASE_URL } from "./bank.ts";

const ROOT = join(import.meta.dirname, "../../..");
interface Block {
  readonly lang: string;
  readonly text: string;
}

async function readBlocks(guide: (typeof GUIDES)[number]): Promise<Block[]> {
  const tokens = new Marked().lexer(await readGuide(guide));
  return tokens.flatMap((token) =>
    token.type === "code"
      ? [{ lang: (token["lang"] ?? "").split(" ")[0], text: token["text"].replaceAll(LOCAL_ADDRESS, BASE_URL) }]
      : [],
  );
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

/** Standard libraries only: of each language the file and what runs it. The other tabs of a command are the same in these. */
const PROGRAMS: Readonly<Record<string, readonly [file: string, command: string]>> = {
  python: ["snippet.py", "/usr/bin/python3"],
  java: ["Snippet.java", "java"],
  ts: ["snippet.mts", process.execPath],
};

test("each snippet in another language answers what the guide says", async () => {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-snippets-"));
  let count = 0;
  const runOne = async (blocks: readonly Block[], i: number, name: string) => {
    const [file, command] = PROGRAMS[blocks[i]?.lang ?? ""] ?? [];
    if (file === undefined || command === undefined) return;
    const place = join(folder, `${name}-${i}-${file}`);
    await writeFile(place, blocks[i]?.text ?? "");
    const { stdout } = await promisify(execFile)(command, [place], { cwd: ROOT });
    const promised = blocks.slice(i).find(({ lang }) => lang === "json");
    expect([name, file, compare(JSON.parse(promised?.text ?? ""), JSON.parse(stdout), "answer")]).toEqual([
      name,
      file,
      [],
    ]);
    count++;
  };
  try {
    for (const guide of GUIDES) {
      const blocks = await readBlocks(guide);
      await Promise.all(blocks.map((_, i) => runOne(blocks, i, guide.name)));
    }
    expect(count).toBeGreaterThanOrEqual(3);
  } finally {
    await rm(folder, { recursive: true });
  }
});

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

// the first hour has a service without other tests: test/cli/first-hour.ts
describe.each(GUIDES.filter(({ name }) => name !== "first-hour"))("$name", (guide) => {
  test("its commands run, and answer what it says", async () => {
    const blocks = (await readBlocks(guide)).filter(({ text }) => !isOfStaging(text));
    const commands = blocks.filter(({ lang }) => lang === "sh");
    expect(commands.length).toBeGreaterThan(0);
    const outputs = await runCommands(
      commands.map(({ text }) => text),
      inject("serviceState"),
    );
    expect(outputs).toHaveLength(commands.length);
    let answers = 0;
    for (const [i, { lang, text }] of blocks.entries()) {
      // settings of other programs
      if (lang === "sh" || lang === "conf") continue;
      if (Object.hasOwn(PROGRAMS, lang)) continue;
      const before = blocks.slice(0, i).findLast((block) => !Object.hasOwn(PROGRAMS, block.lang));
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
  });

  test("needs curl, node and npm only", async () => {
    for (const { lang, text } of await readBlocks(guide)) {
      expect(["sh", "json", "text", "conf", ...Object.keys(PROGRAMS)]).toContain(lang);
      if (lang === "sh") expect(text).not.toMatch(/\b(jq|python3?|openssl|sed|awk|tr|base64(?!")|wget)\b/);
    }
  });
});
