/**
 * `psp check`: the check of GET /v1/psp/eidas in version `latest`, with the local stores, as of any time. JSON is that
 * answer but for what names a request (`id`, `checked_at`, `release`, an age); people get it in sentences.
 */
import type { Command } from "commander";
import { clock } from "../platform/clock.ts";
import { readKnownCountry } from "../platform/country.ts";
import type { Decision } from "../psp-check/decision.ts";
import { EXIT, type ExitCode, fail } from "./fail.ts";
import { addOutputOptions, type OutputOptions, print } from "./output.ts";
import { withStores } from "./stores.ts";
import { addTargetOptions, type TargetOptions, targetOf } from "./target.ts";

export function addPspCommands(program: Command): void {
  addOutputOptions(
    addTargetOptions(
      program
        .command("psp")
        .description("payment service providers")
        .command("check <file>")
        .description(
          "check a PSP's certificate and registers: in sentences, or as JSON the answer of GET /v1/psp/eidas",
        )
        .requiredOption("--jurisdiction <country>", "two-letter country of the transaction")
        .option("--at <instant>", "as of this time, e.g. 2020-06-01T00:00:00Z (now by default)"),
    ),
  )
    .addHelpText(
      "after",
      "\nIt ends with 0 if the PSP may initiate payments or read accounts, else with 1, or with 3 if this service lacks data.\n\nExample:\n  psp check fixtures/certificates/scenario-1.pem --jurisdiction XX",
    )
    .action(async (path: string, options: TargetOptions & OutputOptions & { jurisdiction: string; at?: string }) => {
      const jurisdiction =
        readKnownCountry(options.jurisdiction) ??
        fail(`--jurisdiction: ${options.jurisdiction} is not a two-letter country code such as FI`, EXIT.usage);
      const now = options.at === undefined ? clock.now() : Date.parse(options.at);
      if (Number.isNaN(now)) fail(`--at: ${options.at} is not an instant such as 2020-06-01T00:00:00Z`, EXIT.usage);
      const { readChain } = await import("./chain-file.ts");
      const { checkPsp } = await import("../psp-check/psp-check.ts");
      const { decideOnCheck } = await import("../psp-check/decision.ts");
      const { registerMaxAges } = await import("../registers/manifest.ts");
      const { describePsp } = await import("../psp-check/psp-report.ts");
      const { describeCheck } = await import("../psp-check/answer.ts");
      const { findCountryProblem } = await import("../routes/psp/eidas.ts");
      const { describePspReport } = await import("./psp-text.ts");
      const chain = await readChain(path);
      const { check, maxAges } = await withStores(targetOf(options), async ({ env, ctx }) => ({
        check: await checkPsp(env, ctx, chain, jurisdiction, now),
        maxAges: registerMaxAges(env),
      }));
      const problem = findCountryProblem(jurisdiction, check);
      if (problem) fail(problem.title ?? problem.code, EXIT.usage);
      const decision = decideOnCheck(check, jurisdiction, now, maxAges);
      const answer = describeCheck(check, jurisdiction, "latest", maxAges, now, decision);
      print(answer, options, (style) =>
        describePspReport(describePsp(check, { ...answer, decision }, jurisdiction, now), style),
      );
      process.exitCode = exitCodeOf(decision);
    });
}

/** Yes, if the PSP may use a scope. If only what this service lacks stands against one, it could not be found out. */
function exitCodeOf(decision: Decision): ExitCode {
  const scopes = Object.values(decision);
  if (scopes.some(({ allowed }) => allowed)) return EXIT.yes;
  const unknown = scopes.some(({ reasons }) => reasons.every(({ whose }) => whose === "source"));
  return unknown ? EXIT.unknown : EXIT.no;
}
