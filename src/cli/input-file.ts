/** Files that a command is given. One that cannot be read answers no question: the exit code is never that of a no. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { EXIT, fail } from "./fail.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "this user may not read it",
};

export const readInput = (path: string): Promise<Buffer> => readFile(path).catch(failUnread(path));

/** The whole path, because npm runs commands in the project's folder, wherever the user stands. */
export const failUnread =
  (path: string) =>
  ({ code = "", message }: NodeJS.ErrnoException): never =>
    fail(`${resolve(path)} cannot be read: ${REASONS[code] ?? message}`, EXIT.unknown);
