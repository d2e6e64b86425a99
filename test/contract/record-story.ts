/** Sends the requests of src/reference/story.json to the sandbox, and writes its answers there. */
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const { stdout, stderr } = spawnSync(
  join(ROOT, "node_modules/.bin/vitest"),
  ["run", "--project", "worker", "test/worker/reference/story.test.ts", "--silent=false"],
  { cwd: ROOT, encoding: "utf8", env: { ...process.env, RECORD_STORY: "1" }, maxBuffer: 2 ** 26 },
);
const [, answered] = /STORY(.*)YROTS/s.exec(stdout) ?? [];
if (answered === undefined) throw new Error(`the story has no answers:\n${stdout}\n${stderr}`);
await writeFile(join(ROOT, "src/reference/story.json"), `${JSON.stringify(JSON.parse(answered), null, 2)}\n`);
