/** `register import | list`: NCA registers, from files in this project's own form or the EBA's. */
import { type Command, Option } from "commander";
import { REGISTER_SOURCES, type RegisterSource } from "../registers/psp-record.ts";
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
      "replace a country's register with a file in JSON or CSV (src/registers/import/own-form.ts), or all registers of the EBA with its JSON or ZIP",
    )
    .addOption(new Option("--source <source>", "whose register it is; needed for the EBA's").choices(REGISTER_SOURCES))
    .option("--sha256 <hex>", "for the EBA's: checksum of the file, from its metadata")
    .option("--force", "take a file that drops more than a tenth of a country's PSPs", false)
    .option("--remote", "on the deployed service", false)
    .action(async (path: string, options: Options) => {
      const { importEbaFile } = await import("./eba-file.ts");
      const { importOwnForm } = await import("./own-form-file.ts");
      const result = await withStores<object>(options, ({ env }) =>
        withLease<object>(env.DB, () =>
          options.source === "eba" ? importEbaFile(env, path, options) : importOwnForm(env, path, options),
        ),
      );
      console.log(JSON.stringify(result, null, 2));
    });

  register
    .command("list")
    .description("list the loaded registers and their age")
    .option("--remote", "on the deployed service", false)
    .action(async (options: Options) => {
      const { listRegisters } = await import("../registers/manifest.ts");
      const manifests = await withStores(options, ({ env }) => listRegisters(env.KV));
      console.log(JSON.stringify(manifests, null, 2));
    });
}
