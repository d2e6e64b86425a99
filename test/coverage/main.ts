/**
 * `npm run coverage`: how much of the Worker the projects `unit` and `worker` run, with the material by others and
 * without it. A rule has to be tested in a bare clone, too: it ends with 1 where the two differ by more than a point.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedData } from "../shared-data.ts";
import { compareTotals, describeTotals, type Totals } from "./totals.ts";

const ROOT = join(import.meta.dirname, "../..");

if (sharedData === null) {
  console.error("No shared data (SHARED_DATA, or shared/data beside the clone): there is nothing to compare.");
  process.exit(3);
}
const folder = await mkdtemp(join(tmpdir(), "psp-gate-coverage-"));
try {
  const [whole, bare] = [measure("with", sharedData), measure("without", "none")];
  console.log(describeTotals(whole, bare));
  const apart = compareTotals(whole, bare);
  for (const sentence of apart) console.error(sentence);
  if (apart.length > 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}

/** Runs the tests once. `shared`: see shared-data.ts. */
function measure(name: string, shared: string): Totals {
  const directory = join(folder, name);
  const options = [
    ...["run", "--project", "unit", "--project", "worker"],
    // v8's counters are not those of workerd
    ...["--coverage.enabled", "--coverage.provider=istanbul", "--coverage.reporter=json-summary"],
    // commands and the demo are processes, which the project admin tests
    ...[
      "--coverage.include=src/**/*.{ts,tsx}",
      "--coverage.exclude=src/{admin,demo}/**",
      "--coverage.exclude=**/*.d.ts",
    ],
    `--coverage.reportsDirectory=${directory}`,
  ];
  const env = { ...process.env, SHARED_DATA: shared, REQUIRE_SHARED_DATA: "" };
  const { status, stdout, stderr } = spawnSync(join(ROOT, "node_modules/.bin/vitest"), options, {
    cwd: ROOT,
    env,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) {
    console.error(`${stdout}${stderr}\nthe tests ${name} the shared data failed`);
    process.exit(1);
  }
  return JSON.parse(readFileSync(join(directory, "coverage-summary.json"), "utf8")) as Totals;
}
