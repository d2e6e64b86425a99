/**
 * Packages of one command only are no dependencies of the repository: they are a folder with a lockfile of its own, which the
 * command installs at its first use, and again when the lockfile changed.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** `folder`: an absolute path. `say` gets one line if there is something to install. Throws with what npm said. */
export async function installFolder(folder: string, say: (line: string) => void = console.error): Promise<void> {
  // written last: an installation that was interrupted is made again
  const mark = join(folder, "node_modules/.installed");
  const locked = createHash("sha256")
    .update(await readFile(join(folder, "package-lock.json")))
    .digest("hex");
  if ((await readFile(mark, "utf8").catch(() => null)) === locked) return;
  say(`npm ci in ${folder}: at first use, and when its package-lock.json changed`);
  await promisify(execFile)("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder }).catch((error) => {
    throw new Error(`npm ci failed in ${folder}: is the registry reachable?\n${error.stderr ?? error.message}`);
  });
  await writeFile(mark, locked);
}
