/** `register import | list`: NCA registers, from files in this project's own form or the EBA's. */
import { type Command, Option } from "commander";
import { clock } from "../platform/clock.ts";
import { relativeTime } from "../platform/relative-time.ts";
import { REGISTER_SOURCES, type RegisterSource } from "../registers/psp-record.ts";
import { fail } from "./fail.ts";
import { withLease } from "./lease.ts";
import { addOutputOptions, describeFields, drawTable, grouped, type OutputOptions, print } from "./output.ts";
import { withStores } from "./stores.ts";
import { addTargetOptions, type TargetOptions, targetOf } from "./target.ts";

interface Import extends TargetOptions, OutputOptions {
  source?: RegisterSource;
  sha256?: string;
  force: boolean;
  older: boolean;
}

export function addRegisterCommands(program: Command): void {
  const register = program.command("register").description("registers of NCAs");

  addOutputOptions(
    addTargetOptions(
      register
        .command("import <file>")
        .description(
          "replace a country's register by what the file says: JSON or CSV (src/registers/import/own-form.ts, own-form-csv.ts), or all of the EBA's by its JSON or ZIP",
        )
        .addOption(new Option("--source <source>", "whose register it must be").choices(REGISTER_SOURCES))
        .option("--sha256 <hex>", "for the EBA's: checksum of the file, from its metadata")
        .option("--force", "take a file that drops more than a tenth of a country's PSPs", false)
        .option("--older", "take a file from before the one that was imported last", false),
    ),
  )
    .addHelpText("after", "\nExamples:\n  register import fixtures/register-example.csv\n  register import PSDMD.zip")
    .action(async (path: string, options: Import) => {
      const { importEbaFile, isEbaFile } = await import("./register-files.ts");
      const { importOwnForm } = await import("./register-files.ts");
      const found = await isEbaFile(path);
      if (found && options.source !== "eba") {
        if (options.source)
          fail(`${path} is refused: it is the EBA's register, not one of the source ${options.source}`);
        console.error(`${path} is the EBA's register: it is imported as such (--source eba)`);
      }
      const result = await withStores<object>(targetOf(options), ({ env }) =>
        withLease<object>(env.DB, (leased) =>
          found || options.source === "eba"
            ? importEbaFile(env, path, options, leased)
            : importOwnForm(env, path, options, leased),
        ),
      );
      print(result, options, (style) => `${style.good("imported")} ${path}\n${describeFields(result, style, "  ")}`);
    });

  addOutputOptions(
    addTargetOptions(register.command("list").description("the registers that are loaded, and how old they are")),
  ).action(async (options: TargetOptions & OutputOptions) => {
    const { listRegisters } = await import("../registers/manifest.ts");
    const manifests = await withStores(targetOf(options), ({ env }) => listRegisters(env.KV));
    print(manifests, options, (style) => {
      if (manifests.length === 0) return "no register is loaded: register import FILE, or refresh --only eba";
      const rows = manifests.map((one) => [
        one.country,
        one.source,
        one.ncaName,
        ...[one.psps, one.agents, one.refused].map(grouped),
        relativeTime(one.published, clock.now()),
        relativeTime(one.fetchedAt, clock.now()),
      ]);
      const head = ["country", "source", "authority", "PSPs", "agents", "unreadable", "published", "loaded"];
      return drawTable(head, rows, style);
    });
  });
}
