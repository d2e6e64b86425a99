/** Runs the operator's command line as a process in which the signers of the test lists are pinned as well. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PINNED } from "../../fixtures/suites/trusted-lists/list-world.ts";

const ROOT = join(import.meta.dirname, "../..");
const PRELOADED = pathToFileURL(join(import.meta.dirname, "pin-own-signers.ts")).href;

export interface CommandResult {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts the command itself, not npm: what is killed has to be the process that works. It leads a process group, so that
 * one signal to the group reaches the runtime that it starts, too. `env` replaces variables.
 */
export function startAdmin(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): { readonly child: ChildProcess; readonly ended: Promise<CommandResult> } {
  const child = spawn(process.execPath, ["--import", PRELOADED, "src/cli/main.ts", ...args], {
    cwd: ROOT,
    detached: true,
    env: {
      ...process.env,
      PINNED_SIGNERS: PINNED.map((der) => Buffer.from(der).toString("base64")).join(","),
      ...env,
    },
  });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
    });
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, ...output })) };
}

/** Runs it to its end. */
export const runAdmin = (env: Readonly<Record<string, string>>, ...args: string[]): Promise<CommandResult> =>
  startAdmin(env, args).ended;
