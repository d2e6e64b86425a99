/**
 * A Worker in one file, bundled by wrangler, minified. A deployment sends the same code in modules, which start faster
 * (src/cli/build/worker-modules.ts): `--only start` measures those.
 */
import { execFile } from "node:child_process";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const WRANGLER = join(import.meta.dirname, "../../node_modules/.bin/wrangler");

export interface Built {
  /** The wrangler.toml that it was built by: its bindings. */
  readonly config: string;
  readonly script: string;
}

/** `main`: the entry that `config` names. `readable`: not minified, for a profile that is read by people. */
export async function bundle(config: string, main: string, outdir: string, readable = false): Promise<Built> {
  const options = ["--dry-run", ...(readable ? [] : ["--minify"]), "--config", config, "--outdir", outdir];
  await promisify(execFile)(WRANGLER, ["deploy", ...options], {
    env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" },
  });
  return { config, script: join(outdir, basename(main).replace(/\.ts$/, ".js")) };
}
