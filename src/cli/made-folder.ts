/** Makes a folder that the command line names, with those around it. */
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { EXIT, fail } from "./fail.ts";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EEXIST: "it is a file",
  ENOENT: "its file system takes no folders",
  ENOTDIR: "a part of its path is a file",
  EROFS: "its file system is read-only",
};

/** Not by Node's `recursive`, which never ends below /proc: there a folder that cannot be made is said to lack its parent. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const folder = resolve(path);
  const missing: string[] = [];
  for (let ancestor = folder; !(await exists(ancestor)); ancestor = dirname(ancestor)) missing.unshift(ancestor);
  // the innermost is tried where nothing is missing, too: it may be a file
  for (const ancestor of missing.length === 0 ? [folder] : missing)
    await mkdir(ancestor, mode).catch(async ({ code = "", message }: NodeJS.ErrnoException) => {
      if (code === "EEXIST" && (await stat(ancestor)).isDirectory()) return;
      fail(`${folder} cannot be made: ${REASONS[code] ?? message}`, EXIT.unknown);
    });
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    // what may not be looked at is there
    ({ code }: NodeJS.ErrnoException) => code !== "ENOENT" && code !== "ENOTDIR",
  );
