/**
 * A row of the table that traces the tests to the interface: its sentence, word by word, and a test in its terms.
 * Where the interface's text lies beside the clone, the row fails when the sentence is not in it.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sharedData } from "../../shared-data.ts";

const path = sharedData === null ? null : join(dirname(sharedData), "interface-spec.md");
const text = path !== null && existsSync(path) ? readFileSync(path, "utf8") : null;

/** `sentence` may leave out a middle part with " ... ". */
export function says(sentence: string, name: string, check: () => Promise<void>): void {
  test(`${name} — "${sentence}"`, async () => {
    for (const part of text === null ? [] : sentence.split(" ... ")) expect(text).toContain(part);
    await check();
  });
}
