/** Runs the operator's command line in the test's own process, where the process itself is not the subject. */
import { runCommand } from "../../src/cli/program.ts";

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Its output is no terminal: without --no-json it is JSON. */
export const run = (...args: string[]): Promise<Result> => collectOutput(() => runCommand(args));

/** Runs `work`, which returns an exit code, and keeps what it prints. */
export async function collectOutput(work: () => Promise<number>): Promise<Result> {
  const written = { stdout: "", stderr: "" };
  const print = (stream: "stdout" | "stderr") => (text: unknown) => {
    written[stream] += `${text}\n`;
  };
  const write = (stream: "stdout" | "stderr") => (text: unknown) => {
    written[stream] += text;
    return true;
  };
  const { log, error } = console;
  const [out, err] = [process.stdout.write, process.stderr.write];
  Object.assign(console, { log: print("stdout"), error: print("stderr") });
  // commander writes its help and complaints to the streams themselves
  Object.assign(process.stdout, { write: write("stdout") });
  Object.assign(process.stderr, { write: write("stderr") });
  try {
    const code = await work();
    return { code, ...written };
  } finally {
    Object.assign(console, { log, error });
    Object.assign(process.stdout, { write: out });
    Object.assign(process.stderr, { write: err });
    // of the command, not of vitest
    process.exitCode = undefined;
  }
}

/** What a command that succeeds prints as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export const json = async (...args: string[]): Promise<any> => JSON.parse((await run(...args)).stdout);
