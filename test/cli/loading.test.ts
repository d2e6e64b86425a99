/** What the command line loads before a command runs: not wrangler, miniflare or zod, which take more than a second. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const PROBE = `
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({ load(url, context, next) {
    loaded.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? "own");
    return next(url, context);
  } });
  await import("./src/cli/program.ts");
  console.log(JSON.stringify([...loaded].sort()));
`;

test("the command line loads commander, and no other package", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", PROBE], { cwd: ROOT });
  expect(JSON.parse(stdout)).toEqual(["commander", "own"]);
});
