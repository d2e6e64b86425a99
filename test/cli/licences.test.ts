/** /licenses.txt: MIT and Apache-2.0 ask for their whole texts wherever the code goes. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { listThirdParties, makeLicences } from "../../src/cli/build/licences.ts";
import { ROOT } from "../../src/cli/configuration.ts";

let licences: string;
let texts: string[];
beforeAll(async () => {
  licences = await makeLicences();
  texts = licences.split(`\n${"-".repeat(80)}\n\n`);
});

test("THIRD-PARTY.md names the same packages: npm run node src/cli/build/licences.ts writes it", async () => {
  expect(await readFile(join(ROOT, "THIRD-PARTY.md"), "utf8")).toBe(listThirdParties(licences));
});

test("what the Worker is made of is there, and nothing else", () => {
  const names = texts.slice(1).map((text) => /^(\S+) [\d.]+ \(.+\)\n/.exec(text)?.[1]);
  expect(names).toEqual(expect.arrayContaining(["hono", "zod", "fflate", "structured-headers", "standardwebhooks"]));
  expect(names).not.toEqual(expect.arrayContaining(["esbuild"]));
  expect(names).not.toEqual(expect.arrayContaining(["wrangler"]));
});

test("each has its copyright and the whole text of its licence", async () => {
  const whole = {
    MIT: [/copyright .*\w/i, /Permission is hereby granted/, /IN NO EVENT SHALL THE\s+AUTHORS[\s\S]*SOFTWARE\.?$/i],
    "Apache-2.0": [/^\s*1\. Definitions/m, /^\s*9\. Accepting Warranty/m],
    "BSD-3-Clause": [/copyright .*\w/i, /Redistributions in binary form/, /POSSIBILITY OF SUCH DAMAGE\.$/],
    "0BSD": [/copyright .*\w/i, /with or without fee is hereby granted/, /PERFORMANCE OF THIS SOFTWARE\.$/],
    Unlicense: [/released into the public domain/, /unlicense\.org/],
  };
  for (const text of texts.slice(1)) {
    const [, name = "", licence = ""] = /^(\S+) \S+ \((.+)\)\n/.exec(text) ?? [];
    for (const part of whole[licence as keyof typeof whole] ?? [/^unknown licence$/])
      expect([name, part.test(text.trim())]).toEqual([name, true]);
  }
  expect(texts[0]).toContain((await readFile(join(ROOT, "LICENSE"), "utf8")).trim());
});
