/** Runs the commands of guides as they are printed, by bash. */
import { GuideShell } from "../../src/cli/demo/guide-steps.ts";

/** Commands for a deployed staging: test/platform/sandbox.test.ts runs them. */
export const isOfStaging = (text: string): boolean => /^npm run .* --env staging/m.test(text);

/** Runs the commands one after the other in one shell. Its output of each. `state`: of the service that they speak to. */
export async function runCommands(commands: readonly string[], state: string): Promise<string[]> {
  const shell = new GuideShell(state, { ownGroup: true });
  const outputs: string[] = [];
  try {
    for (const command of commands) outputs.push(await shell.run(command));
  } finally {
    await shell.end();
  }
  return outputs;
}
