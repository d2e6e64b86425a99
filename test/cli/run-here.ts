/** Runs the operator's command line in the test's own process, where the process itself is not the subject. */
import { vi } from "vitest";
import { runCommand } from "../../src/cli/program.ts";

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Its output is no terminal: without --no-json it is JSON. */
export async function run(...args: string[]): Promise<Result> {
  const written = { stdout: "", stderr: "" };
  const print = (stream: "stdout" | "stderr") => (text: unknown) => {
    written[stream] += `${text}\n`;
  };
  const write = (stream: "stdout" | "stderr") => (text: unknown) => {
    written[stream] += text;
    return true;
  };
  // commander writes its help and complaints to the streams themselves
  const spies = [
    vi.spyOn(console, "log").mockImplementation(print("stdout")),
    vi.spyOn(console, "error").mockImplementation(print("stderr")),
    vi.spyOn(process.stdout, "write").mockImplementation(write("stdout")),
    vi.spyOn(process.stderr, "write").mockImplementation(write("stderr")),
  ];
  try {
    const code = await runCommand(args);
    return { code, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
    // of the command, not of vitest
    process.exitCode = undefined;
  }
}

/** What a command that succeeds prints as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export const json = async (...args: string[]): Promise<any> => JSON.parse((await run(...args)).stdout);
