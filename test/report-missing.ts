/** Runs once, before all projects: names what this machine lacks, in one line each. The tests that need it are skipped. */
import { sharedData } from "./shared-data.ts";

export default function reportMissing(): void {
  if (!sharedData)
    report(
      "No shared data (SHARED_DATA, or shared/data beside the clone): the tests on material by others are skipped.",
      Boolean(process.env["REQUIRE_SHARED_DATA"]),
    );
}

/** An error where it must be there, so that a run cannot pass without these tests. */
function report(message: string, required: boolean): void {
  if (required) throw new Error(message);
  console.warn(message);
}
