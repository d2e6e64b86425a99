/** Sends the requests of src/reference/story.json to the sandbox, and writes its answers there; so it does with the examples of events. */
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const { stdout, stderr } = spawnSync(
  join(ROOT, "node_modules/.bin/vitest"),
  [
    "run",
    "--project",
    "worker",
    "test/worker/reference/story.test.ts",
    "test/worker/reference/events.test.ts",
    "--silent=false",
  ],
  { cwd: ROOT, encoding: "utf8", env: { ...process.env, RECORD_STORY: "1" }, maxBuffer: 2 ** 26 },
);
for (const [file, pattern] of [
  ["reference/story.json", /STORY(.*)YROTS/s],
  ["routes/events.examples.json", /EVENTS(.*)STNEVE/s],
] as const) {
  const [, recorded] = pattern.exec(stdout) ?? [];
  if (recorded === undefined) throw new Error(`nothing was recorded for ${file}:\n${stdout}\n${stderr}`);
  await writeFile(join(ROOT, "src", file), `${JSON.stringify(JSON.parse(recorded), null, 2)}\n`);
}
