/**
 * Prints the size of the Worker as `npm run deploy` sends it, minified and gzipped, and what of it a start evaluates. Fails
 * above the limits, and when a start evaluates what only the refresh or the console needs.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildWorkerModules } from "../../src/cli/worker-modules.ts";
import { findStartModules, isOfStart } from "./start-modules.ts";

/**
 * In KiB. A Worker starts faster the smaller it is; Cloudflare's own limits are far above: 3 MB, paid 10 MB. Of the error
 * catalogue a start has status and title only, the console cure and whose. What is left to cut: zod's JSON Schema writer (5 KiB), which its classes refer to.
 */
const LIMITS = {
  /** Evaluated by each start: all that requests to the API may need. The recorder and what is kept of checks are 8 of it. */
  start: 146,
  /** With the refresh, the console, the ledger's object, replays, events and metrics; 66 are the maker of a sandbox's certificates. */
  whole: 383,
};

const folder = await mkdtemp(join(tmpdir(), "psp-gate-bundle-"));
try {
  const modules = findStartModules(await buildWorkerModules(folder), "src/index.ts");
  const measure = async (outputs: typeof modules) => {
    const texts = await Promise.all(outputs.map(({ file }) => readFile(file)));
    return gzipSync(Buffer.concat(texts)).length / 1024;
  };
  const sizes = {
    start: await measure(modules.filter(({ atStart }) => atStart)),
    whole: await measure(modules),
  };
  for (const [part, limit] of Object.entries(LIMITS)) {
    const size = sizes[part as keyof typeof sizes];
    console.log(`${part}: ${size.toFixed(1)} KiB (minified, gzip); at most ${limit}.`);
    if (size > limit) process.exitCode = 1;
  }
  const evaluated = modules.filter(({ atStart }) => atStart).flatMap(({ inputs }) => inputs);
  const misplaced = evaluated.filter((input) => !isOfStart(input));
  if (misplaced.length > 0) {
    console.error(
      `A start evaluates what only the refresh or the console needs: ${misplaced.join(", ")}.`,
      "Import it where it runs: `await import()`.",
    );
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true });
}
