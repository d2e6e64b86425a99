/** A wrangler.toml of a test's own, which `database add` changes. Import it before src/cli. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { STATE_DIR } from "./own-state.ts";

/** src/cli/configuration.ts reads the variable when it is loaded. */
export const CONFIGURATION = join(STATE_DIR, "wrangler.toml");
copyFileSync(join(import.meta.dirname, "../../wrangler.toml"), CONFIGURATION);
process.env["CONFIGURATION"] = CONFIGURATION;

// files of tests share a process
afterAll(() => {
  delete process.env["CONFIGURATION"];
});
