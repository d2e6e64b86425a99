/**
 * `npm run coverage`: how much of the Worker the projects `unit` and `worker` run, with the material by others and
 * without it. A rule has to be tested in a bare clone, too: it ends with 1 where the two differ by more than a point,
 * or a test fails.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedData } from "../shared-data.ts";
import { compareTotals, describeTotals, type Files } from "./totals.ts";

const ROOT = join(import.meta.dirname, "../..");

if (sharedData === null) {
  console.error("No shared data (SHARED_DATA, or shared/data beside the clone): there is nothing to compare.");
  process.exit(3);
}
const folder = await mkdtemp(join(tmpdir(), "psp-gate-coverage-"));
try {
  // workerd has no file system: its tests are the same with the material and without it, and run once
  const worker = measure("worker", "none");
  const [whole, bare] = [sharedData, "none"].map((shared) => [measure("unit", shared), worker]);
  console.log(describeTotals(whole ?? [], bare ?? []));
  const apart = compareTotals(whole ?? [], bare ?? []);
  for (const sentence of apart) console.error(sentence);
  if (apart.length > 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}

/** Runs a project's tests once. `shared`: see shared-data.ts. */
function measure(project: string, shared: string): Files {
  const directory = join(folder, project);
  const options = [
    ...["run", "--project", project, "--coverage.enabled", "--coverage.reportOnFailure"],
    // v8's counters are not those of workerd
    ...["--coverage.provider=istanbul", "--coverage.reporter=json", `--coverage.reportsDirectory=${directory}`],
    // commands and the demo are processes, which the project admin tests
    ...["--coverage.include=src/**/*.{ts,tsx}", "--coverage.exclude=src/cli/**", "--coverage.exclude=**/*.d.ts"],
  ];
  const { status, stdout, stderr } = spawnSync(join(ROOT, "node_modules/.bin/vitest"), options, {
    cwd: ROOT,
    env: { ...process.env, SHARED_DATA: shared, REQUIRE_SHARED_DATA: "" },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const file = join(directory, "coverage-final.json");
  if (status !== 0 || !existsSync(file)) {
    console.error(`${stdout}${stderr}\ntests of ${project} failed: what they would run is not counted`);
    process.exitCode = 1;
  }
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Files) : {};
}
