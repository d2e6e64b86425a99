/**
 * `npm run types`: writes src/env.d.ts from wrangler.toml; `--check` only compares. wrangler takes the classes of Durable
 * Objects from the file that `main` names. It has to be the source: the build has no types.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { ROOT, readConfiguration } from "../configuration.ts";
import { wrangler } from "../wrangler.ts";

const SOURCES = join(ROOT, "dist/types/wrangler.toml");

await mkdir(dirname(SOURCES), { recursive: true });
await writeFile(SOURCES, await readConfiguration());
const { code, output } = await wrangler([
  ...["types", "src/env.d.ts", "--include-runtime=false", "--strict-vars=false", "--env-file", "/dev/null"],
  ...["--config", relative(ROOT, SOURCES), ...process.argv.slice(2)],
]);
console.log(output);
process.exitCode = code;
