/** Two clones in two folders build the same Worker and the same site: what is deployed can be built again by anybody, and compared. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INPUTS } from "../../src/cli/build/folder.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Of another length and depth. */
const FOLDERS = ["one", "a-folder/of-another/length"];

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "psp-gate-bytes-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** The SHA-256 of each file that a clone in `folder` builds, by its name. */
async function buildIn(folder: string): Promise<Map<string, string>> {
  // no more than these: a change of anything else would not be built
  for (const path of INPUTS) await cp(join(ROOT, path), join(folder, path), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await promisify(execFile)(process.execPath, ["src/cli/build/build.ts"], { cwd: folder });
  const built = join(folder, "dist");
  const entries = await readdir(built, { recursive: true, withFileTypes: true });
  const digests = new Map<string, string>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const bytes = await readFile(file);
    expect(bytes.includes(home)).toBe(false);
    digests.set(relative(built, file), createHash("sha256").update(bytes).digest("hex"));
  }
  return digests;
}

test("two folders have the same files of the same names and bytes, and none says where it was built", async () => {
  const [one, other] = await Promise.all(FOLDERS.map((folder) => buildIn(join(home, folder))));
  expect(one?.has("worker/index.js.map")).toBe(true);
  expect(other).toEqual(one);
});
