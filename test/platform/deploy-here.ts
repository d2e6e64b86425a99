/** `npm run deploy` in this process. Loaded behind STATE_DIR, CONFIGURATION and the API's address. */
import { type DeployOptions, deploy } from "../../src/cli/deployment/deployment.ts";
import { complain, findKnownFailure } from "../../src/cli/fail.ts";
import type { Environment } from "../../src/cli/target.ts";
import { collectOutput, type Result } from "../cli/run-here.ts";
import { keptWrangler } from "./kept-wrangler.ts";

export const deployHere = (environment: Environment | null = null, options: DeployOptions = {}): Promise<Result> =>
  runToEnd(async () => {
    await deploy(environment, { wrangler: sendOnly, print: console.log, ask: null }, options);
    return 0;
  });

/** Runs `work`, which returns an exit code. A bug is a stack trace and the code 70. */
export const runToEnd = (work: () => Promise<number>): Promise<Result> =>
  collectOutput(async () => {
    try {
      return await work();
    } catch (error) {
      const known = findKnownFailure(error);
      if (known) complain(known.message);
      else console.error((error as Error).stack);
      return known?.exitCode ?? 70;
    }
  });

/** The real one, but for its build, which sends nothing. */
const sendOnly: typeof keptWrangler = async (args) =>
  args.includes("--dry-run") ? { code: 0, output: "" } : await keptWrangler(args);
