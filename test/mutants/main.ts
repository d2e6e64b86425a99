/** `npm run mutants` (mutate.ts, or with `--simulate` simulate.ts): first installs Stryker, which nothing else needs, and checks the types that it gives. */
import { spawnSync } from "node:child_process";
import { installFolder } from "../../src/client/package/install-folder.ts";

await installFolder(import.meta.dirname);
const { status } = spawnSync("tsc", ["-p", import.meta.dirname], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
const at = process.argv.indexOf("--simulate");
// by names that the repository's own TypeScript does not follow
if (at < 0) await import(import.meta.resolve("./mutate.ts"));
else {
  const { simulate } = await import(import.meta.resolve("./simulate.ts"));
  await simulate(Number(process.argv[at + 1]), process.argv.slice(at + 2));
}
