/**
 * The installed wrangler in a process that is kept, one run after the other: loading it takes most of the processor time of
 * a run. Where wrangler ends its process, the next run begins another.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { ROOT } from "../../src/cli/configuration.ts";
import { ENVIRONMENT } from "../../src/cli/wrangler.ts";

interface Kept {
  readonly child: ChildProcess;
  readonly answers: AsyncIterator<string>;
}
let kept: Kept | null = null;

function start(): Kept {
  const program = join(import.meta.dirname, "kept-wrangler-process.ts");
  const stdio = ["pipe", "ignore", "inherit", "pipe"] as const;
  // of now: a file of tests may have more than one platform
  const env = { ...ENVIRONMENT, ...process.env, PATH: ENVIRONMENT.PATH };
  const child = spawn(process.execPath, ["--no-warnings", program], { cwd: ROOT, env, stdio: [...stdio] });
  const lines = createInterface({ input: child.stdio[3] as Readable });
  return { child, answers: lines[Symbol.asyncIterator]() };
}

/** As `wrangler` of src/cli. */
export async function keptWrangler(
  args: readonly string[],
  { input = "" } = {},
): Promise<{ code: number; output: string }> {
  kept ??= start();
  kept.child.stdin?.write(`${JSON.stringify({ args, input })}\n`);
  const { value, done } = await kept.answers.next();
  if (done) throw new Error(`wrangler ${args.join(" ")} ended without an answer`);
  const { ends, ...run } = JSON.parse(value);
  if (ends) kept = null;
  return run;
}

/** Ends its process, which keeps this one waiting. */
export async function endWrangler(): Promise<void> {
  if (kept === null) return;
  const { child } = kept;
  kept = null;
  child.stdin?.end();
  await once(child, "exit");
}
