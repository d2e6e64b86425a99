/** `refresh`: runs all steps of the scheduled refresh at once, whether due or not. */
import type { Command } from "commander";
import { Option } from "commander";
import type { RefreshEnv } from "../refresh/step.ts";
import { fail } from "./fail.ts";
import { withLease } from "./lease.ts";
import type { RefreshPart } from "./refresh-all.ts";
import { withStores } from "./stores.ts";

const PARTS = ["trust", "eba", "crl"] as const satisfies readonly RefreshPart[];

interface Options {
  only?: RefreshPart;
  remote: boolean;
}

export function addRefreshCommand(program: Command): void {
  program
    .command("refresh")
    .description("fetch trusted lists, the EBA's register and stored CRLs from their sources now")
    .addOption(new Option("--only <part>", "one of them").choices(PARTS))
    .option("--remote", "on the deployed service", false)
    .action(async (options: Options) => {
      const { refreshAll } = await import("./refresh-all.ts");
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
