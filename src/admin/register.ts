/** `register import | list`: NCA registers, from files in this project's own form or the EBA's. */
import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { now } from "../clock.ts";
import { recordFailure, recordSuccess } from "../refresh/refreshes.ts";
import { registerTask } from "../refresh/schedule.ts";
import { importRegister } from "../registers/import/import-register.ts";
import { describeProblem, readRegisterFile } from "../registers/import/own-form.ts";
import { readRegisterCsv } from "../registers/import/own-form-csv.ts";
import { listRegisters } from "../registers/manifest.ts";
import { REGISTER_SOURCES, type RegisterSource } from "../registers/psp-record.ts";
import { importEbaFile } from "./eba-file.ts";
import { fail } from "./fail.ts";
import { withLease } from "./lease.ts";
import { withStores } from "./stores.ts";

interface Options {
  source?: RegisterSource;
  sha256?: string;
  remote: boolean;
  force: boolean;
}

export function addRegisterCommands(program: Command): void {
  const register = program.command("register").description("registers of NCAs");

  register
    .command("import <file>")
    .description(
      "replace a country's register by what the file says: JSON or CSV (src/registers/import/own-form.ts), or all of the EBA's by its JSON or ZIP",
    )
    .addOption(new Option("--source <source>", "whose register it is; needed for the EBA's").choices(REGISTER_SOURCES))
    .option("--sha256 <hex>", "for the EBA's: checksum of the file, from its metadata")
    .option("--force", "take a file that drops more than a tenth of a country's PSPs", false)
    .option("--remote", "on the deployed service", false)
    .action(async (path: string, options: Options) => {
      const result = await withStores<object>(options, ({ env }) =>
        withLease<object>(env.DB, () =>
          options.source === "eba" ? importEbaFile(env, path, options) : importOwnForm(env, path, options),
        ),
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

async function importOwnForm({ KV, DB }: Pick<Env, "KV" | "DB">, path: string, { source, force }: Options) {
  const text = await readFile(path, "utf8").catch((error: Error) => fail(error.message));
  const isJson = /^\uFEFF?\s*[{[]/.test(text);
  const file = isJson ? readRegisterFile(text) : readRegisterCsv(text);
  if (!file.ok) fail(`${path} is refused:\n${file.problems.map(describeProblem).join("\n")}`);
  const { register } = file;
  if (source && source !== register.source) fail(`${path} is refused: it is of the source ${register.source}`);
  const task = registerTask(register.source, register.country);
  const at = now();
  const result = await importRegister(KV, register, { now: at, force });
  if (result.ok) {
    await recordSuccess(DB, task, {}, at);
    return result;
  }
  const { dropped, stored, country } = result;
  const message = `${path} drops ${dropped} of the ${stored} PSPs of ${country} (${register.source})`;
  await recordFailure(DB, task, 1, { message }, at);
  fail(`${message}: nothing was changed. If that is right, say --force`);
}
