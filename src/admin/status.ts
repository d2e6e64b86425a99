/** `status`: the loaded data of each source, its age, and the last failure. */
import type { Command } from "commander";
import { clock } from "../clock.ts";
import { withStores } from "./stores.ts";

export function addStatusCommand(program: Command): void {
  program
    .command("status")
    .description(
      "show which trusted lists, registers and CRLs are loaded, their age, when they expire, and the last error",
    )
    .option("--remote", "of the deployed service", false)
    .action(async (options: { remote: boolean }) => {
      const { configurationWarnings } = await import("../base-url.ts");
      const { lifetimeWarnings } = await import("../grants/token-lifetimes.ts");
      const { readStatus } = await import("../refresh/status.ts");
      const status = await withStores(options, async ({ env }) => ({
        ...(await readStatus(env, clock.now())),
        warnings: [...configurationWarnings(env), ...lifetimeWarnings(env)],
      }));
      console.log(JSON.stringify(status, null, 2));
    });
}
