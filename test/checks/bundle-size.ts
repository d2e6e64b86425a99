/**
 * Prints the size of the Worker as `npm run deploy` sends it, minified and gzipped, and what of it a start evaluates. Fails
 * above the limits, and when a start evaluates what no PSP check needs.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildWorkerModules } from "../../src/cli/build/worker-modules.ts";
import { findStartModules, isOfStart } from "./start-modules.ts";

/**
 * In KiB: 5 % above what is there. A Worker starts faster the smaller it is; Cloudflare's own limits are far above: 3 MB, paid 10 MB. Of the
 * error catalogue a start has nothing, an answer status and title, the console cure and whose.
 */
const LIMITS = {
  /** Evaluated by each start: the pipeline, and all that a PSP check needs. */
  start: 85,
  /** With all other endpoints, the refresh, the console, the ledger's object; 66 are the maker of a sandbox's certificates. */
  whole: 457,
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
      `A start evaluates what no PSP check needs: ${misplaced.join(", ")}.`,
      "Import it where it runs: `await import()`.",
    );
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true });
}
