/** `psp check`: the check of GET /v1/psp/eidas in version `latest`, with the local stores, as of any time. */
import type { Command } from "commander";
import { clock } from "../clock.ts";
import { readKnownCountry } from "../country.ts";
import { fail } from "./fail.ts";
import { withStores } from "./stores.ts";

export function addPspCommands(program: Command): void {
  program
    .command("psp")
    .description("payment service providers")
    .command("check <file>")
    .description("check a PSP's certificate and registers, and print the answer of GET /v1/psp/eidas with its evidence")
    .requiredOption("--jurisdiction <country>", "two-letter country of the transaction")
    .option("--at <instant>", "as of this time, e.g. 2020-06-01T00:00:00Z (now by default)")
    .option("--remote", "with the deployed service's stores", false)
    .action(async (path: string, options: { jurisdiction: string; at?: string; remote: boolean }) => {
      const jurisdiction = readKnownCountry(options.jurisdiction) ?? fail("--jurisdiction: a two-letter country code");
      const now = options.at === undefined ? clock.now() : Date.parse(options.at);
      if (Number.isNaN(now)) fail(`--at: ${options.at} is not an instant such as 2020-06-01T00:00:00Z`);
      const { readChain } = await import("./chain-file.ts");
      const { checkPsp } = await import("../psp-check/psp-check.ts");
      const { registerMaxAges } = await import("../registers/manifest.ts");
      const { describeCheck } = await import("../routes/psp/eidas.ts");
      const chain = await readChain(path);
      const answer = await withStores(options, async ({ env, ctx }) => {
        const check = await checkPsp(env, ctx, chain, jurisdiction, now);
        return describeCheck(check, jurisdiction, "latest", registerMaxAges(env), now);
      });
      console.log(JSON.stringify(answer, null, 2));
    });
}
