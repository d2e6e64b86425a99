/** Tells the story of src/reference/story.ts to the sandbox, and writes its answers to src/reference/story-answers.json. */
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const { stdout, stderr } = spawnSync(
  join(ROOT, "node_modules/.bin/vitest"),
  ["run", "--project", "worker", "test/worker/reference/story.test.ts", "--silent=false"],
  { cwd: ROOT, encoding: "utf8", env: { ...process.env, RECORD_STORY: "1" }, maxBuffer: 2 ** 26 },
);
const [, told] = /STORY(.*)YROTS/s.exec(stdout) ?? [];
if (told === undefined) throw new Error(`the story was not told:\n${stdout}\n${stderr}`);
await writeFile(join(ROOT, "src/reference/story-answers.json"), `${JSON.stringify(JSON.parse(told), null, 2)}\n`);
