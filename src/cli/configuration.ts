/** The service's wrangler.toml for use from another folder: wrangler takes its paths from where the file lies. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Tests set CONFIGURATION, so that they change a file of their own. */
export const CONFIGURATION = process.env["CONFIGURATION"] ?? join(ROOT, "wrangler.toml");

/** A value that is a path in this repo: the entry, the migrations, the aliases, the static files. */
const PATH_VALUE = /(?<= = ")(?:\.\/)?(?=(?:src|node_modules|dist)\/)/g;

/** The text with absolute paths. `main` is the entry to build in the place of src/index.ts. */
export async function readConfiguration(main = join(ROOT, "src/index.ts")): Promise<string> {
  const text = await readFile(CONFIGURATION, "utf8");
  return text
    .replace('main = "src/index.ts"', () => `main = ${JSON.stringify(main)}`)
    .replaceAll(PATH_VALUE, () => `${JSON.stringify(`${ROOT}/`).slice(1, -1)}`);
}
