/**
 * Holds the OpenAPI document against Redocly's recommended rules; fails on a warning, too. As a process, because the
 * package has no other door. It neither reports its use nor looks for updates, so it needs no network.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildDocument } from "../../src/reference/document.ts";

const REDOCLY = join(import.meta.dirname, "tools/node_modules/@redocly/cli/bin/cli.js");

const folder = await mkdtemp(join(tmpdir(), "psp-gate-openapi-"));
try {
  // with line breaks: what is wrong is shown by its line
  await writeFile(join(folder, "openapi.json"), JSON.stringify(buildDocument(), null, 2));
  await promisify(execFile)(
    process.execPath,
    // `recommended-strict`: the recommended rules, where each warning is an error
    [REDOCLY, "lint", "--extends", "recommended-strict", "openapi.json"],
    {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      maxBuffer: 2 ** 26,
    },
  );
  console.log("The OpenAPI document follows Redocly's recommended rules: no error, no warning.");
} catch (error) {
  const { stdout = "", stderr = String(error) } = error as { stdout?: string; stderr?: string };
  console.error(stdout + stderr);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}
