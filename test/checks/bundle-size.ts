/** Prints the size of the Worker as `npm run deploy` sends it, minified and gzipped, and fails above the limit. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
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
const LIMIT_KIB = 165;

await buildSite({ sandbox: false });
const folder = await mkdtemp(join(tmpdir(), "psp-gate-bundle-"));
try {
  await promisify(execFile)(
    join(ROOT, "node_modules/.bin/wrangler"),
    ["deploy", "--dry-run", "--minify", "--outdir", folder],
    { cwd: ROOT, env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" } },
  );
  const kib = gzipSync(await readFile(join(folder, "index.js"))).length / 1024;
  console.log(`The Worker has ${kib.toFixed(1)} KiB (minified, gzip); at most ${LIMIT_KIB}.`);
  if (kib > LIMIT_KIB) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}
