/** `refresh`: runs all steps of the scheduled refresh at once, whether due or not. */
import type { Command } from "commander";
import { Option } from "commander";
import { now } from "../clock.ts";
import { addRefreshes, listRefreshes } from "../refresh/refreshes.ts";
import { CRL_TASK, EBA_TASK } from "../refresh/schedule.ts";
import type { RefreshEnv, StepResult } from "../refresh/step.ts";
import { findStep, LIST_OF_LISTS_TASK, runStep, STANDING_TASKS } from "../refresh/tasks.ts";
import { MAX_LIST_BYTES } from "../trusted-lists/document.ts";
import { fail } from "./fail.ts";
import { withLease } from "./lease.ts";
import { makeProgressBar } from "./progress-bar.ts";
import { withStores } from "./stores.ts";

const PARTS = ["trust", "eba", "crl"] as const;
type Part = (typeof PARTS)[number];

interface Options {
  only?: Part;
  remote: boolean;
}

export function addRefreshCommand(program: Command): void {
  program
    .command("refresh")
    .description("fetch trusted lists, the EBA's register and kept CRLs from their sources now")
    .addOption(new Option("--only <part>", "one of them").choices(PARTS))
    .option("--remote", "on the deployed service", false)
    .action(async (options: Options) => {
      const parts = options.only ? [options.only] : PARTS;
      const failed = await withStores(options, ({ env }) =>
        withLease(env.DB, () => refreshAll({ ...env, ...givenAddresses() }, parts)),
      );
      if (failed > 0) fail(`${failed} failed: what was loaded before is as it was`);
    });
}

/** Addresses of sources. The environment overrides wrangler.toml. */
const ADDRESSES = ["LOTL_URL", "TRUSTED_LIST_URL_TEMPLATE", "EBA_METADATA_URL", "EBA_FILES_URL"] as const;

const givenAddresses = (): Partial<Pick<RefreshEnv, (typeof ADDRESSES)[number]>> =>
  Object.fromEntries(ADDRESSES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));

/** Returns the number of failed tasks. */
async function refreshAll(env: RefreshEnv, parts: readonly Part[]): Promise<number> {
  await addRefreshes(env.DB, STANDING_TASKS, now());
  let failed = 0;
  const run = async (task: string) => {
    const result = await runToEnd(env, task);
    if (result.ok) console.log(`${task}: ${result.told}`);
    else console.error(`error: ${task}: ${result.message}`);
    if (!result.ok) failed++;
  };
  if (parts.includes("trust")) {
    await run(LIST_OF_LISTS_TASK);
    // listed after the list of lists was refreshed, because it names the national lists
    const tasks = (await listRefreshes(env.DB)).map(({ task }) => task).sort();
    for (const task of tasks.filter(isNationalList)) await run(task);
  }
  if (parts.includes("eba")) await run(EBA_TASK);
  if (parts.includes("crl")) await run(CRL_TASK);
  return failed;
}

const isNationalList = (task: string): boolean => findStep(task) !== null && !STANDING_TASKS.includes(task);

async function runToEnd(env: RefreshEnv, task: string): Promise<StepResult> {
  for (;;) {
    const refresh = (await listRefreshes(env.DB)).find((each) => each.task === task) ?? fail(`no task ${task}`);
    const bar = makeProgressBar(task);
    const result = await runStep(env, refresh, {
      now: now(),
      maxWrites: Number.POSITIVE_INFINITY,
      maxListBytes: MAX_LIST_BYTES,
      onProgress: bar.show,
    });
    bar.clear();
    if (!result.ok || !result.unfinished) return result;
  }
}
