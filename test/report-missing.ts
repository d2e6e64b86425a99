/**
 * Runs once, before all projects: names what this machine lacks, in one line each. The tests that need it are skipped.
 * As a program it prints the Debian packages of what is missing, for .ci/run.
 */
import { sharedData } from "./shared-data.ts";
import { findTool, TOOLS, type Tool, type ToolName } from "./tools.ts";

export default function reportMissing(): void {
  const { CI, REQUIRE_SHARED_DATA } = process.env;
  if (!sharedData)
    report(
      ["No shared data (SHARED_DATA, or shared/data beside the clone): the tests on material by others are skipped."],
      Boolean(REQUIRE_SHARED_DATA),
    );
  report(describeMissing(findTool), Boolean(CI));
}

const listMissing = (find: (name: ToolName) => string | null): Tool[] =>
  (Object.keys(TOOLS) as ToolName[]).filter((name) => find(name) === null).map((name) => TOOLS[name]);

/** A sentence for each tool that is not there. */
export const describeMissing = (find: (name: ToolName) => string | null): string[] =>
  listMissing(find).map(({ title, tests }) => `No ${title}: ${tests} are skipped.`);

/** An error where it must be there, so that a run cannot pass without these tests. */
function report(sentences: readonly string[], required: boolean): void {
  if (required && sentences.length > 0) throw new Error(sentences.join("\n"));
  for (const sentence of sentences) console.warn(sentence);
}

if (process.argv[1] === import.meta.filename)
  console.log(
    listMissing(findTool)
      .map(({ debian }) => debian)
      .join(" "),
  );
