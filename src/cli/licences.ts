/** /licenses.txt: the licences of the packages whose code is in the Worker, by esbuild's list of what it read. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { ROOT } from "./configuration.ts";
import { bundleWorker } from "./worker-modules.ts";

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(licen[sc]e|notice|copying)\b/i;
const DESCRIPTION = z.object({
  ...{ name: z.string(), version: z.string(), license: z.string() },
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/** Of a package that is under this licence and brings no text. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Throws on a package whose licence has no text here. */
export async function makeLicences(): Promise<string> {
  const { metafile } = await bundleWorker();
  const folders = new Set(Object.keys(metafile.inputs).flatMap((input) => PACKAGE.exec(input)?.[0] ?? []));
  const own = ["psp-gate", await readFile(join(ROOT, "LICENSE"), "utf8")].join("\n\n");
  const others = await Promise.all([...folders].sort().map((folder) => describe(join(ROOT, folder))));
  return [own, ...others].map((text) => `${text.trim()}\n`).join(`\n${"-".repeat(80)}\n\n`);
}

async function describe(folder: string): Promise<string> {
  const { name, version, license, author } = DESCRIPTION.parse(
    JSON.parse(await readFile(join(folder, "package.json"), "utf8")),
  );
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  if (texts.length === 0) {
    if (license !== "MIT") throw new Error(`${name} brings no text of its licence, ${license}: src/cli/licences.ts`);
    texts.push(`Copyright (c) ${author ?? `the authors of ${name}`}\n\n${MIT}`);
  }
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join("\n\n");
}
