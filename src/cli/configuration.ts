/** The service's wrangler.toml for use from another folder: wrangler takes its paths from where the file lies. */
import { copyFile, readFile, realpath, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Tests set CONFIGURATION, so that they change a file of their own. */
export const CONFIGURATION = process.env["CONFIGURATION"] ?? join(ROOT, "wrangler.toml");

/** A value that is a path in this repo: the entry, the migrations, the aliases, the static files. */
const PATH_VALUE = /(?<= = ")(?:\.\/)?(?=(?:src|node_modules|dist)\/)/g;

const BUILD = /^\[build\]\n(.+\n)*/m;
/** Not for a source, which wrangler bundles by itself. */
const OF_MODULES = /^(no_bundle|upload_source_maps) = .*\n/gm;

/** The text with absolute paths. `main`: a source, or the index.js of modules (worker-modules.ts). */
export async function readConfiguration(main = join(ROOT, "src/index.ts")): Promise<string> {
  const text = await readFile(CONFIGURATION, "utf8");
  return text
    .replace(BUILD, "")
    .replace(OF_MODULES, (row) => (main.endsWith(".js") ? row : ""))
    .replace('main = "dist/worker/index.js"', () => `main = ${JSON.stringify(main)}\nkeep_names = false`)
    .replaceAll(PATH_VALUE, () => `${JSON.stringify(`${ROOT}/`).slice(1, -1)}`);
}

/** By rename: a running `npm start` reads the file at any moment. Mode and place of a link's target stay. */
export async function replaceConfiguration(text: string): Promise<void> {
  const file = await realpath(CONFIGURATION);
  const replacement = `${file}.new`;
  await copyFile(file, replacement);
  await writeFile(replacement, text);
  await rename(replacement, file);
}
