/** wrangler.toml in a folder of its own: the secrets of this machine (`.dev.vars`, `.env` beside it) are not read. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Writes the configuration and returns its path. The folder is removed when the process ends. */
export function writeConfiguration(): string {
  const folder = mkdtempSync(join(tmpdir(), "psp-gate-worker-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const given = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const path = join(folder, "wrangler.toml");
  // its paths are relative to the file
  writeFileSync(
    path,
    given.replaceAll(
      /(= *)"(?:\.\/)?((?:src|test|node_modules)\/[^"]*)"/g,
      (_, before: string, file: string) => `${before}${JSON.stringify(join(ROOT, file))}`,
    ),
  );
  return path;
}
