/** Where the real material by others lies: beside the clone, or where SHARED_DATA says; null when there is none. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { SHARED_DATA } = process.env;
const beside = join(dirname(fileURLToPath(import.meta.url)), "../../shared/data");

/** The folder's path. */
export const sharedData: string | null = existsSync(beside) ? beside : (SHARED_DATA ?? null);

if (!sharedData) console.warn("No ../shared/data and no SHARED_DATA: the tests on real material do not run.");

/** A file of the shared data as text. Throws when it is not there. */
export const readShared = (path: string): string => readFileSync(join(sharedData ?? beside, path), "utf8");
