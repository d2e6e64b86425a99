/** `register import | list`: NCA registers, from files of the project's own form or of the EBA. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { now } from "../clock.ts";
import { importRegister } from "../registers/import/import-register.ts";
import { describeProblem, readRegisterFile } from "../registers/import/own-form.ts";
import { listRegisters } from "../registers/manifest.ts";
import { fail } from "./fail.ts";
import { withStores } from "./stores.ts";

interface Options {
  remote: boolean;
  force: boolean;
}

export function addRegisterCommands(program: Command): void {
  const register = program.command("register").description("registers of NCAs");

  register
    .command("import <file>")
    .description("replace a country's register by what the file says; the form is in src/registers/import/own-form.ts")
    .option("--force", "take a file that drops more than a tenth of the country's PSPs", false)
    .option("--remote", "on the deployed service", false)
    .action(async (path: string, options: Options) => {
      const text = await readFile(path, "utf8").catch((error: Error) => fail(error.message));
      const file = readRegisterFile(text);
      if (!file.ok) fail(`${path} is refused:\n${file.problems.map(describeProblem).join("\n")}`);
      const result = await withStores(options, ({ env }) =>
        importRegister(env.KV, file.register, { now: now(), force: options.force }),
      );
      if (!result.ok)
        fail(
          `${path} drops ${result.dropped} of the ${result.stored} PSPs of ${result.country} (${result.source}): nothing was changed. If that is right, say --force`,
        );
      console.log(JSON.stringify(result, null, 2));
    });

  register
    .command("list")
    .description("the registers that are loaded, and how old they are")
    .option("--remote", "on the deployed service", false)
    .action(async (options: Options) => {
      const manifests = await withStores(options, ({ env }) => listRegisters(env.KV));
      console.log(JSON.stringify(manifests, null, 2));
    });
}
