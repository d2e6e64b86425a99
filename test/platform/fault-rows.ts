/** Rows of the fault table: a call of a command fails once, the same command runs again, and both are judged. */
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { scheduler } from "node:timers/promises";
import { clock } from "../../src/platform/clock.ts";
import type { Result } from "../cli/run-here.ts";
import { copyAccount, describeAccount } from "./account-state.ts";
import { begin, COMMANDS, type FaultCommand, runHere, WRITTEN } from "./fault-commands.ts";
import { judgeEnd, judgeFailure } from "./fault-judgement.ts";
import { FAULTS, type Fault, type Platform } from "./platform.ts";

export interface Row {
  readonly command: string;
  /** Its number, method and path. */
  readonly call: string;
  readonly when: Fault["when"];
  /** Of the run in which the call failed, and what it says. */
  readonly code: number;
  readonly says: string;
  /** What is not as it should be; empty: the row ends well. */
  readonly faults: readonly string[];
}

/** Which rows: all, without it. `call`: 1 is the first. */
export type Choice = (call: number, when: Fault["when"], path: string) => boolean;

export async function* runFaults(platform: Platform, name: string, choose: Choice = () => true): AsyncGenerator<Row> {
  const command = COMMANDS[name];
  if (!command) throw new Error(`${name} is none of ${Object.keys(COMMANDS).join(", ")}`);
  const { calls, wanted } = await runWithoutFault(platform, command);
  for (const [i, path] of calls.entries())
    for (const when of FAULTS) {
      if (!choose(i + 1, when, path)) continue;
      const { failed, faults } = await runFault(platform, command, { call: i + 1, when }, wanted);
      const says = failed.stderr.replace(/^error: /, "").trim();
      yield { command: name, call: `${i + 1} ${path.replaceAll(IDS, "…")}`, when, code: failed.code, says, faults };
    }
}

const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}/g;

async function runWithoutFault(platform: Platform, { before, args, wanted }: FaultCommand) {
  const goal = await wanted?.(platform);
  await begin(platform, await before(platform));
  const { code, stderr } = await runHere(args);
  if (code !== 0) throw new Error(`without a fault, ${args.join(" ")} ends with ${code}: ${stderr}`);
  return { calls: [...platform.calls], wanted: describeAccount(goal?.account ?? platform.account) };
}

async function runFault(
  platform: Platform,
  { before, args, refusal }: FaultCommand,
  fault: Fault,
  wanted: ReturnType<typeof describeAccount>,
): Promise<{ failed: Result; faults: string[] }> {
  await begin(platform, await before(platform));
  const start = copyAccount(platform.account);
  platform.fail(fault);
  const failed = await runHere(args);
  platform.fail(null);
  const middle = copyAccount(platform.account);
  const faults = judgeFailure(failed, start, middle);
  if (failed.code !== 0 && (await readdir(dirname(WRITTEN))).some((name) => name.startsWith("written")))
    faults.push("it leaves a folder that may be taken for a backup");
  // a key is named by its second, and a command refuses to make another one in it
  if (failed.code !== 0 && args.includes("rotate")) await scheduler.wait(1000 - (clock.now() % 1000));
  const again = failed.code === 0 ? null : await runHere(args);
  const isRefused = again?.code === 1 && refusal?.test(again.stderr) === true;
  if (again && again.code !== 0 && !isRefused) faults.push(`the next run ends with ${again.code}: ${again.stderr}`);
  return { failed, faults: [...faults, ...(await judgeEnd(platform, args, again ?? failed, start, wanted))] };
}
