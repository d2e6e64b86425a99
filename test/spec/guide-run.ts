/** Runs the commands of guides as they are printed, by bash. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./service.ts";

/** Commands for a deployed staging: test/platform/sandbox.test.ts runs them. */
export const isOfStaging = (text: string): boolean => /^npm run .* --env staging/m.test(text);

/**
 * Runs the commands one after the other in one shell. Its output of each, or what it complained of. `state`: of the service
 * that they speak to.
 */
export async function runCommands(commands: readonly string[], state: string): Promise<string[]> {
  const MARK = "--- end of a command ---";
  const env = {
    ...process.env,
    PATH: `${join(ROOT, "node_modules/.bin")}:${process.env["PATH"]}`,
    STATE_DIR: state,
  };
  // a group of its own: what a guide leaves running ends with it
  const child = spawn("bash", ["-euo", "pipefail"], { cwd: ROOT, env, detached: true });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  child.stdin.end(commands.map((command) => `${command}\necho; echo '${MARK}'\n`).join(""));
  child.once("exit", () => endGroup(child.pid));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`a command ended with ${code}: ${complaints}\n${output}`);
  return output.split(MARK).slice(0, -1);
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGTERM");
  } catch {
    // nothing was left
  }
}
