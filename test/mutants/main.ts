/** `npm run mutants` (mutate.ts; simulate.ts if its first option is `--simulate`): installs Stryker, which nothing else needs, and checks the types that it gives. */
import { spawnSync } from "node:child_process";
import { installFolder } from "../install-folder.ts";

await installFolder(import.meta.dirname);
const { status } = spawnSync("tsc", ["-p", import.meta.dirname], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
// by names that the repository's own TypeScript does not follow
if (process.argv[2] === "--simulate") await import(import.meta.resolve("./simulate.ts"));
else await import(import.meta.resolve("./mutate.ts"));
