/** Prints the size of the Worker as `npm run deploy` sends it, minified and gzipped, and fails above the limit. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { buildSite } from "../../src/site/build.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * A Worker starts faster the smaller it is. Cloudflare's own limits are far above: 3 MB, paid 10 MB. The texts of
 * the error reference (10 KiB) are static files. What is left to cut: zod's JSON Schema writer (5 KiB), which its classes
 * refer to.
 */
const LIMIT_KIB = 167;

/**
 * The console is loaded by its first request, and its code lies in the same file: what the API's requests wait for is
 * the size without it, which is measured by a build in whose place an empty module stands.
 */
const WHOLE_LIMIT_KIB = 210;

await buildSite({ sandbox: false });
const folder = await mkdtemp(join(tmpdir(), "psp-gate-bundle-"));

/** The size of a build in KiB, minified and gzipped. */
async function measure(name: string, ...options: readonly string[]): Promise<number> {
  await promisify(execFile)(
    join(ROOT, "node_modules/.bin/wrangler"),
    ["deploy", "--dry-run", "--minify", "--outdir", join(folder, name), ...options],
    { cwd: ROOT, env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" } },
  );
  return gzipSync(await readFile(join(folder, name, "index.js"))).length / 1024;
}

try {
  const empty = join(folder, "no-console.ts");
  await writeFile(empty, "export {};\n");
  const api = await measure("api", "--alias", `./console/console.ts:${empty}`);
  const whole = await measure("whole");
  console.log(`The API's part of the Worker has ${api.toFixed(1)} KiB (minified, gzip); at most ${LIMIT_KIB}.`);
  console.log(`With the console it has ${whole.toFixed(1)} KiB; at most ${WHOLE_LIMIT_KIB}.`);
  // the same size would mean that the console was not left out
  if (api > LIMIT_KIB || whole > WHOLE_LIMIT_KIB || whole - api < 1) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}
