/**
 * Finds the test material by others: published lists, certificates, registers and suites. It is not in the repo.
 * `SHARED_DATA` names its folder; without it, `shared/data` beside the clone is taken. Elsewhere, and with `none`, its
 * tests are skipped.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const BESIDE = resolve(import.meta.dirname, "../../shared/data");

function findSharedData(): string | null {
  const named = process.env["SHARED_DATA"];
  if (named === "none") return null;
  if (!named) return existsSync(BESIDE) ? BESIDE : null;
  if (!existsSync(named)) throw new Error(`SHARED_DATA names a folder that does not exist: ${named}`);
  return resolve(named);
}

/** The folder's path; null when there is none. */
export const sharedData: string | null = findSharedData();

/** A file of the shared data as text. Throws when it is not there. */
export const readShared = (path: string): string => readFileSync(join(sharedData ?? BESIDE, path), "utf8");
