/** The client as one file of JavaScript, as the package has it. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const CLIENT = join(import.meta.dirname, "..");
const ESBUILD = join(CLIENT, "../../node_modules/.bin/esbuild");

/** What Node 20, Workers and today's browsers run without being changed. */
const TARGET = "es2022";

/** Writes an ES module without imports to `file`. */
export async function bundleClient(file: string, ...options: string[]): Promise<void> {
  const entry = join(CLIENT, "index.ts");
  await promisify(execFile)(ESBUILD, [
    entry,
    "--bundle",
    "--format=esm",
    "--platform=neutral",
    `--target=${TARGET}`,
    `--outfile=${file}`,
    "--log-level=warning",
    ...options,
  ]);
}
