/** Style sheets and scripts of our own, served at /assets/. They lie beside the pages that use them. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
/** Names must differ: all are served from one folder. */
const FOLDERS = ["src/reference/assets", "src/console/assets"];

export async function readAssets(): Promise<[path: string, content: Uint8Array][]> {
  const assets: [string, Uint8Array][] = [];
  for (const folder of FOLDERS.map((name) => join(ROOT, name)).filter(existsSync))
    for (const file of (await readdir(folder)).sort())
      assets.push([`assets/${file}`, await readFile(join(folder, file))]);
  return assets;
}
