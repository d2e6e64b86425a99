/**
 * `npm run check`: what is held against the code without running its tests. As many steps at once as there are cores, for
 * half of them use one only; the longest first. What a step prints is printed when it ends. knip, Redocly and an older
 * TypeScript, which nothing else needs, are installed first (tools/).
 */
import { exec } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { writeWireTypes } from "../../src/client/package/generate.ts";
import { inLanes } from "../../src/platform/stores.ts";
import { installFolder } from "../install-folder.ts";

const STEPS = [
  "node test/checks/client-types.ts",
  "tsc -p .",
  "node test/checks/tools/node_modules/knip/bin/knip.js",
  "biome check .",
  "node test/checks/layers.ts",
  "node test/checks/openapi-lint.ts",
  "node test/checks/bundle-size.ts",
  "node src/cli/build/env-types.ts --check",
  "node test/checks/client-size.ts",
  "node test/checks/lockfile.ts",
];

await installFolder(join(import.meta.dirname, "tools"));

const run = (command: string) =>
  new Promise<{ passed: boolean; output: string }>((resolve) =>
    exec(command, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ passed: error === null, output: stdout + stderr }),
    ),
  );

// generated, and not in git
await writeWireTypes(join(import.meta.dirname, "../../src/client"));
await inLanes(availableParallelism(), STEPS.values(), async (step) => {
  const { passed, output } = await run(step);
  console.log(`${passed ? "✓" : "✗"} ${step}\n${output}`);
  if (!passed) process.exitCode = 1;
});
