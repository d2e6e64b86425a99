/**
 * The guides promise what commands answer: every command of every guide is run against the sandbox as it is printed, by
 * bash with curl and Node, and its output compared with the answer below it.
 */
import { Marked } from "marked";
import { describe, expect, inject, test } from "vitest";
import { GUIDES, readGuide } from "../../../src/reference/guides.ts";
import { isOfStaging, runCommands } from "../guide-run.ts";
import { BASE_URL } from "./bank.ts";

/** As the guides have it: the address of `npm start`. */
const PRINTED = "http://127.0.0.1:8787";

interface Block {
  readonly lang: string;
  readonly text: string;
}

async function readBlocks(guide: (typeof GUIDES)[number]): Promise<Block[]> {
  const tokens = new Marked().lexer(await readGuide(guide));
  return tokens.flatMap((token) =>
    token.type === "code" ? [{ lang: token["lang"] ?? "", text: token["text"].replaceAll(PRINTED, BASE_URL) }] : [],
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

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

// the first hour has a service of its own: test/cli/first-hour.test.ts
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
  });

  test("needs curl, node and npm only", async () => {
    for (const { lang, text } of await readBlocks(guide)) {
      expect(["sh", "json", "text", "conf"]).toContain(lang);
      if (lang === "sh") expect(text).not.toMatch(/\b(jq|python3?|openssl|sed|awk|tr|base64|wget)\b/);
    }
  });
});
