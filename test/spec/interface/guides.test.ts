/** The commands of the guides, against the sandbox. The first hour has a service of its own: test/cli/first-hour.test.ts. */
import { describe, expect, inject, test } from "vitest";
import { GUIDES } from "../../../src/reference/guides.ts";
import { isOfStaging, PRINTED, readBlocks, runBlocks } from "../guide-run.ts";
import { BASE_URL } from "./bank.ts";

describe.each(GUIDES.filter(({ name }) => name !== "first-hour"))("$name", (guide) => {
  test("its commands run, and answer what it says", async () => {
    const blocks = (await readBlocks(guide)).filter((block) => !isOfStaging(block));
    const here = blocks.map(({ lang, text }) => ({ lang, text: text.replaceAll(PRINTED, BASE_URL) }));
    await runBlocks(here, inject("serviceState"));
  });

  test("needs curl, node and npm only", async () => {
    for (const { lang, text } of await readBlocks(guide)) {
      expect(["sh", "json", "text", "conf"]).toContain(lang);
      if (lang === "sh") expect(text).not.toMatch(/\b(jq|python3?|openssl|sed|awk|tr|base64|wget)\b/);
    }
  });
});
