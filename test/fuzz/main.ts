/**
 * `npm run fuzz -- [--seconds N | --turns N] [--seed S] [--target NAME]...`: every reader of a stranger's bytes, guided by
 * coverage. The same seed draws the same inputs. Ends with 1 if a property broke, and prints what the next run needs.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Coverage } from "./coverage.ts";
import type { Finding } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string" },
    turns: { type: "string" },
    seed: { type: "string", default: "1" },
    target: { type: "string", multiple: true },
    save: { type: "string" },
  },
});
const seed = Number(values.seed);
const turns = Number(values.turns ?? Number.POSITIVE_INFINITY);
const seconds = Number(values.seconds ?? (values.turns === undefined ? 30 : Number.POSITIVE_INFINITY));
if (![seed, turns, seconds].every((number) => number >= 0))
  throw new Error("--seconds, --turns and --seed are numbers");

const hashOf = (input: Uint8Array): string => createHash("sha256").update(input).digest("hex").slice(0, 8);

const coverage = new Coverage();
coverage.start();
// imported late: only then are their blocks counted
const { begin, takeTurn, tryCorpus } = await import("./fuzz.ts");
const { makeTargets } = await import("./targets/targets.ts");

const all = await makeTargets();
const unknown = (values.target ?? []).filter((name) => !all.some((target) => target.name === name));
if (unknown.length > 0)
  throw new Error(`no target ${unknown.join(", ")}; there are ${all.map(({ name }) => name).join(", ")}`);
const chosen = all.filter(({ name }) => !values.target || values.target.includes(name));
const running = chosen.map((target) => begin(target, seed));
const open = new Set(running);
const findings: Finding[] = [];

const end = performance.now() + seconds * 1000;
const run = async (act: typeof takeTurn): Promise<void> => {
  for (const progress of open) {
    if (performance.now() > end) return;
    const finding = await act(progress, seed, coverage);
    if (!finding) continue;
    findings.push(finding);
    // the others go on: one run shows all that is broken
    open.delete(progress);
  }
};
await run(tryCorpus);
for (let turn = 0; turn < turns && open.size > 0 && performance.now() < end; turn++) await run(takeTurn);

for (const { target, inputs, pool } of running)
  console.log(
    `${target.name.padEnd(22)} ${String(inputs).padStart(8)} inputs, ${String(pool.length - target.corpus.length).padStart(5)} kept`,
  );
console.log(
  `${running.reduce((sum, { inputs }) => sum + inputs, 0)} inputs, seed ${seed}, ${findings.length} findings`,
);
for (const { target, fault, input } of findings) {
  const base64 = Buffer.from(input).toString("base64");
  console.log(`\nFOUND ${target}: ${fault}\nseed ${seed}, ${input.length} bytes in base64:\n${base64}`);
  if (values.save)
    writeFileSync(
      join(values.save, `${target}-${hashOf(input)}.json`),
      `${JSON.stringify({ target, fault, input: base64 }, null, 2)}\n`,
    );
}
process.exitCode = findings.length > 0 ? 1 : 0;
