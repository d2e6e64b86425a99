/** `npm run deploy`: reads its options and runs deployment.ts. */
import { Command, CommanderError, Option } from "commander";
import { VERSION } from "../../platform/version.ts";
import { complain, EXIT, findKnownFailure } from "../fail.ts";
import { JURISDICTIONS, readEnvironment, type TargetOptions } from "../target.ts";
import { wrangler } from "../wrangler.ts";
import type { DeployOptions } from "./deployment.ts";

const program = new Command("npm run deploy --")
  .description(
    "Finds or makes the stores, migrates, deploys the Worker with its first keys, and looks whether it serves. Needs `npx wrangler login`.",
  )
  .version(VERSION, "--version", "print the version that would be deployed")
  .option(
    "--env <name>",
    "deploy to this environment (staging), which has stores and secrets of its own; without: production",
  )
  .option(
    "--dry-run",
    "build, print what would be sent, made and migrated, and change nothing: without a login, as on an empty account",
  )
  .addOption(
    new Option(
      "--jurisdiction <name>",
      "where D1, R2 and all Durable Objects lie, from the first deployment on: it cannot be changed later",
    ).choices(JURISDICTIONS),
  )
  .option(
    "--recipient <public key>",
    "seal the first keys to this public key of age (age1…), so that key import can put them back; else to KEY_RECIPIENT",
  )
  .option("--upload", "migrate and upload only: for a gradual deployment, no request goes to the new version yet")
  .option("--verbose", "print what wrangler prints, too")
  .allowExcessArguments(false)
  .addHelpText(
    "after",
    "\nExamples:\n  npm run deploy\n  npm run deploy -- --env staging\n  npm run deploy -- --dry-run",
  )
  .exitOverride()
  .action(async ({ env, ...options }: TargetOptions & DeployOptions) => {
    const environment = env === undefined || env === "production" ? null : readEnvironment(env);
    // a service that another API deployed is nowhere
    const ask = process.env["CLOUDFLARE_API_BASE_URL"] === undefined ? fetch : null;
    // loads wrangler: not for help, or for options that are not understood
    const { deploy } = await import("./deployment.ts");
    await deploy(environment, { wrangler, print: console.log, ask }, options);
  });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? EXIT.yes : EXIT.usage);
  const known = findKnownFailure(error);
  if (!known) throw error;
  complain(known.message);
  process.exitCode = known.exitCode;
}
