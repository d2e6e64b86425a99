/**
 * /licenses.txt and THIRD-PARTY.md: the licences of the packages whose code is in the Worker, by esbuild's list of what it
 * read, or in the site. `npm run node src/cli/build/licences.ts` writes THIRD-PARTY.md.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { ROOT } from "../configuration.ts";
import { bundleWorker } from "./worker-modules.ts";

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(licen[sc]e|notice|copying)\b/i;
const DESCRIPTION = z.object({
  ...{ name: z.string(), version: z.string(), license: z.string() },
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/** Of packages that bring a notice without the whole text, by what is in the text only. */
const WHOLE: Readonly<Record<string, RegExp>> = {
  "Apache-2.0": /^\s*1\. Definitions/m,
  MIT: /Permission is hereby granted/,
};

/** Its code is not in the Worker, but in a script of the site. */
const OF_THE_SITE = "node_modules/minisearch";

/** Throws on a package without a text of its licence. */
export async function makeLicences(): Promise<string> {
  const { metafile } = await bundleWorker();
  const ofWorker = Object.keys(metafile.inputs).flatMap((input) => PACKAGE.exec(input)?.[0] ?? []);
  const folders = new Set([...ofWorker, OF_THE_SITE]);
  const own = ["psp-gate", await readFile(join(ROOT, "LICENSE"), "utf8")].join("\n\n");
  const others = await Promise.all([...folders].sort().map((folder) => describe(join(ROOT, folder))));
  return [own, ...others].map((text) => `${text.trim()}\n`).join(LINE);
}

const LINE = `\n${"-".repeat(80)}\n\n`;

/** The packages with their versions and licences, as THIRD-PARTY.md has them. `licences`: of {@link makeLicences}. */
export function listThirdParties(licences: string): string {
  const packages = licences.split(LINE).slice(1);
  return [
    "# Third-party code\n",
    "The Worker and its site contain code of these packages. Their whole licences are at `/licenses.txt` of each deployment.\n",
    ...packages.map((text) => `- ${text.slice(0, text.indexOf("\n"))}`),
    "",
  ].join("\n");
}

async function describe(folder: string): Promise<string> {
  const { name, version, license, author } = DESCRIPTION.parse(
    JSON.parse(await readFile(join(folder, "package.json"), "utf8")),
  );
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  if (texts.length === 0) texts.push(`Copyright (c) ${author ?? `the authors of ${name}`}`);
  const whole = WHOLE[license];
  if (whole && !texts.some((text) => whole.test(text)))
    texts.push(await readFile(join(import.meta.dirname, `licences/${license}.txt`), "utf8"));
  else if (files.length === 0)
    throw new Error(`${name} brings no text of its licence, ${license}: src/cli/build/licences.ts`);
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join("\n\n");
}

if (import.meta.main) await writeFile(join(ROOT, "THIRD-PARTY.md"), listThirdParties(await makeLicences()));
