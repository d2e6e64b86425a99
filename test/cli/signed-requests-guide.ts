/** The guide of signed requests at the service of gateways.test.ts: the sandbox's CA there issues the QSealC, in every language. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compareAnswer, readBlocks } from "../../src/cli/demo/guide-steps.ts";
import { LOCAL_ADDRESS } from "../../src/reference/code-block.ts";
import { GUIDES, readGuide } from "../../src/reference/guides.ts";
import { canRun, LANGUAGES, runPrograms } from "../spec/guide-programs.ts";
import { runCommands } from "../spec/guide-run.ts";
import type { Service } from "../spec/service.ts";
import { findTool } from "../tools.ts";

/** `service`: the one that its programs speak to. */
export function testSignedRequests(service: () => Service): void {
  describe.runIf(findTool("curl"))("signed requests", () => {
    const folder = mkdtempSync(join(tmpdir(), "psp-gate-signed-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test("its programs run, and answer what it says", async () => {
      const guide = GUIDES.find(({ name }) => name === "signed-requests") ?? expect.unreachable();
      const text = (await readGuide(guide))
        .replaceAll(LOCAL_ADDRESS, service().url)
        .replaceAll(".wrangler/seal", folder);
      const blocks = readBlocks(text);
      const textsOf = (language: string) => blocks.filter(({ lang }) => lang === language).map(({ text }) => text);
      const answers = blocks.filter(({ lang }) => lang === "text");
      const outputs = new Map([["sh", (await runCommands(textsOf("sh"), service().state)).slice(-3)]]);
      for (const language of LANGUAGES.filter(canRun)) {
        const place = join(folder, language);
        mkdirSync(place);
        const ran = await runPrograms(language, new Map([["guide", textsOf(language)]]), place);
        outputs.set(language, (ran.get("guide") ?? []).slice(-2));
      }
      expect(answers).toHaveLength(3);
      for (const [language, given] of outputs)
        expect([
          language,
          given,
          given.map((output, i) => compareAnswer(answers[3 - given.length + i] ?? expect.unreachable(), output.trim())),
        ]).toEqual([language, given, given.map(() => [])]);
    });
  });
}
