/** wrangler.toml in a folder of its own: the secrets of this machine (`.dev.vars`, `.env` beside it) are not read. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSite } from "../../src/cli/build/site.ts";
import { readConfiguration } from "../../src/cli/configuration.ts";
import { addDatabase } from "../../src/cli/database/database.ts";

/** Writes the configuration with so many databases and returns its path. */
export async function writeConfiguration(databases = 1, folder = makeFolder()): Promise<string> {
  await buildSite({ sandbox: false });
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "wrangler.toml");
  let text = await readConfiguration();
  for (let i = 1; i < databases; i++) {
    const added = addDatabase(text);
    if (!added.ok) throw new Error(added.message);
    text = added.configuration;
  }
  writeFileSync(path, text);
  return path;
}

/** It is removed when the process ends. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "psp-gate-worker-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
