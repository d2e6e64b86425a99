/**
 * Runs an operator's commands in this process, on stores that are opened once for all tests of a file: as a process, a
 * command costs three seconds of processor time. What only a process can show is tested with admin-command.ts.
 * Import it before src/admin.
 */
import { Command, CommanderError } from "commander";
import { vi } from "vitest";
import { CommandError } from "../../src/admin/fail.ts";
import type { Stores } from "../../src/admin/stores.ts";
import type { CommandResult } from "./admin-command.ts";
import { withOwnStores } from "./own-stores.ts";

vi.mock("../../src/admin/stores.ts", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  withStores: <Result>(_: object, work: (stores: Stores) => Promise<Result>) => withOwnStores(work),
}));

/** Answers what src/admin/main.ts would print and exit with. `add` are the functions that add the commands. */
export function makeAdmin(...add: ((program: Command) => void)[]) {
  return async (...args: string[]): Promise<CommandResult> => {
    const output = { stdout: "", stderr: "" };
    const collect = (stream: keyof typeof output) => (text: unknown) => {
      output[stream] += `${text}\n`;
    };
    const spies = [
      vi.spyOn(console, "log").mockImplementation(collect("stdout")),
      vi.spyOn(console, "error").mockImplementation(collect("stderr")),
      // progress is drawn there
      vi.spyOn(process.stderr, "write").mockImplementation((text) => {
        output.stderr += text;
        return true;
      }),
    ];
    const program = new Command().exitOverride().configureOutput({ writeErr: collect("stderr") });
    for (const one of add) one(program);
    try {
      await program.parseAsync(args, { from: "user" });
      // what a command found is no: status, fi remove
      return { code: Number(process.exitCode ?? 0), ...output };
    } catch (error) {
      if (error instanceof CommanderError) return { code: error.exitCode, ...output };
      if (!(error instanceof CommandError)) throw error;
      console.error(`error: ${error.message}`);
      return { code: error.exitCode, ...output };
    } finally {
      process.exitCode = undefined;
      for (const spy of spies) spy.mockRestore();
    }
  };
}
