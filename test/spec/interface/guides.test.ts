/**
 * The guides promise what commands answer: every command of every guide is run against the sandbox as it is printed, by
 * bash with curl and Node, and in each other language that the guide has. Each output is compared with the answer below.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Block, compareAnswer, readBlocks } from "../../../src/cli/demo/guide-steps.ts";
import { LOCAL_ADDRESS } from "../../../src/reference/code-block.ts";
import { GUIDES, readGuide } from "../../../src/reference/guides.ts";
import { findTool } from "../../tools.ts";
import { canRun, LANGUAGES, runPrograms } from "../guide-programs.ts";
import { isOfStaging, runCommands } from "../guide-run.ts";
import { BASE_URL } from "./bank.ts";

/** test/cli/gateway-guide.ts runs this part, with each server. */
const WITH_SERVERS = /^## Try yours\n.*/ms;

/** Of code alone. */
type CodeBlock = Block & { readonly lang: string };
const readCode = async (guide: (typeof GUIDES)[number]): Promise<CodeBlock[]> =>
  readBlocks((await readGuide(guide)).replace(WITH_SERVERS, "").replaceAll(LOCAL_ADDRESS, BASE_URL)).filter(
    (block): block is CodeBlock => block.lang !== null,
  );

const isProgram = (lang: string): boolean => LANGUAGES.some((language) => language === lang);
const isCode = (lang: string): boolean => lang === "sh" || isProgram(lang);

/** Holds the outputs of a language's blocks against the answers below them. Answers how many were held. */
function holdAnswers(blocks: readonly CodeBlock[], language: string, outputs: readonly string[]): number {
  const own = blocks.filter(({ lang }) => lang === language);
  expect(outputs).toHaveLength(own.length);
  let held = 0;
  for (const [i, { lang, text }] of blocks.entries()) {
    if (isCode(lang) || lang === "conf") continue;
    // what stands directly above the answer, in each language
    const above = blocks.slice(blocks.slice(0, i).findLastIndex(({ lang }) => !isCode(lang)) + 1, i);
    const block = above.findLast((each) => each.lang === language);
    if (!block) continue;
    const output = outputs[own.indexOf(block)]?.trim() ?? "";
    const shown = [language, output.slice(0, 200)];
    expect([...shown, compareAnswer({ lang, text }, output)]).toEqual([...shown, []]);
    held++;
  }
  return held;
}

// these need services of their own: first-hour.ts, pipelines.test.ts and signed-requests-guide.ts in test/cli
const ELSEWHERE: ReadonlySet<string> = new Set(["first-hour", "pipelines", "signed-requests"]);
describe.each(GUIDES.filter(({ name }) => !ELSEWHERE.has(name)))("$name", (guide) => {
  test.runIf(findTool("curl"))("its commands run, and answer what it says", async () => {
    const blocks = (await readCode(guide)).filter(({ text }) => !isOfStaging(text));
    const commands = blocks.filter(({ lang }) => lang === "sh").map(({ text }) => text);
    expect(commands.length).toBeGreaterThan(0);
    const outputs = await runCommands(commands, inject("serviceState"));
    expect(holdAnswers(blocks, "sh", outputs)).toBeGreaterThan(0);
  });

  test("each answer stands below a command, which needs curl, node and npm only", async () => {
    const blocks = await readCode(guide);
    for (const [i, { lang, text }] of blocks.entries()) {
      expect(["sh", "json", "text", "conf", ...LANGUAGES]).toContain(lang);
      if (lang === "sh") expect(text).not.toMatch(/\b(jq|python3?|openssl|sed|awk|tr|base64(?!")|wget)\b/);
      if (["json", "text"].includes(lang) && !isCode(blocks[i - 1]?.lang ?? "")) throw new Error(`no command: ${text}`);
    }
  });
});

test.runIf(findTool("curl"))(
  "what is not in an answer: the helper of all guides prints the service's errors, and no trace",
  async () => {
    const [guide] = GUIDES;
    const [setup] = (await readCode(guide ?? expect.unreachable())).filter(({ lang }) => lang === "sh");
    const asked = (command: string) => `(${command} | field data.redirect_uri) 2>&1 || echo refused`;
    const outputs = await runCommands(
      [
        setup?.text ?? "",
        asked(
          `ask -H "eidas: $(certificate scenario-1)" "$GATE/v1/oauth2/authorization_codes" --json '{"account_id": "a"}'`,
        ),
        asked(`ask "$GATE/health"`),
        asked("ask http://127.0.0.1:1"),
      ],
      inject("serviceState"),
    );
    expect(outputs).toEqual([
      "",
      "client_request_query_parameters_missing: client_request_query_parameters is missing\nrefused",
      expect.stringMatching(/^\{ status: 'up', .*\}\nrefused$/),
      expect.stringMatching(/^curl: \(7\) .*\n\{\}\nrefused$/),
    ]);
  },
);

/** Answers in guides of all languages that one gets by the shell alone. */
const OF_THE_SHELL: Readonly<Record<string, number>> = { consents: 4 };
describe.each(LANGUAGES)("the programs in %s", (language) => {
  const programs = new Map<string, CodeBlock[]>();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "psp-gate-programs-"));
    for (const guide of GUIDES) {
      const blocks = await readCode(guide);
      if (ELSEWHERE.has(guide.name)) continue;
      if (blocks.some(({ lang }) => isProgram(lang))) programs.set(guide.name, blocks);
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.runIf(canRun(language))("are there for each answer of their guides, and give it", async () => {
    const texts = [...programs].map(
      ([name, blocks]) => [name, blocks.filter(({ lang }) => lang === language).map(({ text }) => text)] as const,
    );
    const outputs = await runPrograms(language, new Map(texts), folder);
    expect(programs.size).toBeGreaterThanOrEqual(7);
    for (const [name, blocks] of programs) {
      const answers = blocks.filter(({ lang }) => ["json", "text"].includes(lang));
      const held = holdAnswers(blocks, language, outputs.get(name) ?? []);
      expect([name, held + (OF_THE_SHELL[name] ?? 0)]).toEqual([name, answers.length]);
    }
  });
});
