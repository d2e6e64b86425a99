/** The service's wrangler.toml for use from another folder: wrangler takes its paths from where the file lies. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Tests set CONFIGURATION, so that they change a file of their own. */
export const CONFIGURATION = process.env["CONFIGURATION"] ?? join(ROOT, "wrangler.toml");

/** A value that is a path in this repo: the entry, the migrations, the aliases, the static files. */
const PATH_VALUE = /(?<= = ")(?:\.\/)?(?=(?:src|node_modules|dist)\/)/g;

/** Not for a source, which wrangler bundles by itself. */
const OF_BUILD = /^(no_bundle|rules|upload_source_maps) = .*\n|^\[build\]\n(.+\n)*/gm;

/** The text with absolute paths, for wrangler to bundle `main`. */
export async function readConfiguration(main = join(ROOT, "src/index.ts")): Promise<string> {
  const text = await readFile(CONFIGURATION, "utf8");
  return text
    .replace(OF_BUILD, "")
    .replace('main = "dist/worker/index.js"', () => `main = ${JSON.stringify(main)}\nkeep_names = false`)
    .replaceAll(PATH_VALUE, () => `${JSON.stringify(`${ROOT}/`).slice(1, -1)}`);
}
