/** What was found, and is mended: one file each. Runs begin with them, too. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface KnownFinding {
  readonly file: string;
  readonly target: string;
  /** As it was then. */
  readonly fault: string;
  readonly input: Uint8Array;
}

const FOLDER = join(import.meta.dirname, "findings");

const all = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .sort()
  .map((file): KnownFinding => {
    const { target, fault, input } = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
    return { file, target, fault, input: new Uint8Array(Buffer.from(input, "base64")) };
  });

/** Of one target, or of all. */
export const readFindings = (target?: string): readonly KnownFinding[] =>
  all.filter((each) => target === undefined || each.target === target);
