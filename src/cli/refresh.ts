/** `refresh`: runs all steps of the scheduled refresh at once, whether due or not. */
import { type Command, Option } from "commander";
import type { RefreshEnv } from "../refresh/schedule.ts";
import { fail } from "./fail.ts";
import { withLease } from "./lease.ts";
import type { RefreshPart } from "./refresh-all.ts";
import { withStores } from "./stores.ts";
import { addTargetOptions, type TargetOptions, targetOf } from "./target.ts";

const PARTS = ["trust", "eba", "crl"] as const satisfies readonly RefreshPart[];

interface Options extends TargetOptions {
  only?: RefreshPart;
}

export function addRefreshCommand(program: Command): void {
  addTargetOptions(
    program
      .command("refresh")
      .description("fetch trusted lists, the EBA's register and kept CRLs from their sources now")
      .addOption(new Option("--only <part>", "one of them").choices(PARTS)),
  )
    .addHelpText("after", "\nExamples:\n  refresh\n  refresh --only trust")
    .action(async (options: Options) => {
      const { refreshAll } = await import("./refresh-all.ts");
      const parts = options.only ? [options.only] : PARTS;
      const failed = await withStores(targetOf(options), ({ env }) =>
        withLease(env.DB, (leased) => refreshAll({ ...env, ...givenAddresses() }, parts, leased)),
      );
      if (failed > 0) fail(`${failed} failed: what was loaded before is as it was`);
    });
}

/** Addresses of sources. The environment overrides wrangler.toml. */
const ADDRESSES = ["LOTL_URL", "TRUSTED_LIST_URL_TEMPLATE", "EBA_METADATA_URL", "EBA_FILES_URL"] as const;

const givenAddresses = (): Partial<Pick<RefreshEnv, (typeof ADDRESSES)[number]>> =>
  Object.fromEntries(ADDRESSES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
