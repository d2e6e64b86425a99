/**
 * `npm run node test/platform/faults.ts -- [COMMAND]... [--from N] [--to N] [--fault KIND]`: the fault table. Ends with 1 if
 * a row ends badly.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { startPlatform } from "./platform.ts";

const options = { from: { type: "string" }, to: { type: "string" }, fault: { type: "string" } } as const;
const { positionals, values } = parseArgs({ allowPositionals: true, options });
const [from, to] = [Number(values.from ?? 1), Number(values.to ?? Number.POSITIVE_INFINITY)];

const platform = await startPlatform();
const folder = await mkdtemp(join(tmpdir(), "psp-gate-faults-"));
// read by the modules of src/cli when they are loaded
Object.assign(process.env, platform.environment, {
  ...{ STATE_DIR: folder, CONFIGURATION: join(folder, "wrangler.toml"), CI: "true" },
  PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
});
const { COMMANDS } = await import("./fault-commands.ts");
const { endWrangler } = await import("./kept-wrangler.ts");
const { runFaults } = await import("./fault-rows.ts");

const totals: string[] = [];
let bad = 0;
try {
  for (const command of positionals.length > 0 ? positionals : Object.keys(COMMANDS)) {
    const begun = process.hrtime.bigint();
    const count = { rows: 0, bad: 0, done: 0 };
    const choose = (call: number, when: string) =>
      call >= from && call <= to && (values.fault === undefined || values.fault === when);
    for await (const { call, when, code, says, faults } of runFaults(platform, command, choose)) {
      count.rows++;
      if (code === 0) count.done++;
      if (faults.length > 0) count.bad++;
      const mark = faults.length > 0 ? "✗" : "✓";
      console.log(`${mark} ${command} | ${call} | ${when} | ${code} | ${says.replaceAll("\n", " ⏎ ").slice(0, 160)}`);
      for (const fault of faults) console.log(`    ${fault}`);
    }
    bad += count.bad;
    const seconds = Number((process.hrtime.bigint() - begun) / 1_000_000_000n);
    totals.push(`${command} | ${count.rows} | ${count.done} | ${count.rows - count.done} | ${count.bad} | ${seconds}`);
  }
} finally {
  await endWrangler();
  await platform.close();
  await rm(folder, { recursive: true });
}
console.log(
  ["command | rows | succeed all the same | fail and are finished by the next run | bad | s", ...totals].join("\n"),
);
process.exitCode = bad > 0 ? 1 : 0;
