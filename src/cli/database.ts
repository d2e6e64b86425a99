/** `database add | list`: over how many D1 databases the tokens and consents are spread. */
import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { bindingOf, MAX_DATABASE_BYTES } from "../institutions/databases.ts";
import { clock } from "../platform/clock.ts";
import { CONFIGURATION } from "./configuration.ts";
import { addDatabase } from "./database-bindings.ts";
import { type DatabaseReading, readDatabases } from "./database-reading.ts";
import { fail } from "./fail.ts";
import { addOutputOptions, type OutputOptions, print, type Style } from "./output.ts";
import { withStores } from "./stores.ts";
import { drawTable, grouped } from "./table.ts";
import { addTargetOptions, type TargetOptions, targetOf } from "./target.ts";

const AFTER_ADD = `
It changes wrangler.toml only: commit it. npm start makes the local database, npm run deploy those of production and
staging (once for each); until then commands with --remote know the others only. Institutions stay where they are;
\`fi add\` places new ones in the least loaded database, or in the one that --database names.`;

export function addDatabaseCommands(program: Command): void {
  const database = program.command("database").description("the D1 databases of tokens and consents");

  addOutputOptions(database.command("add").description("add the next database to wrangler.toml"))
    .addHelpText("after", AFTER_ADD)
    .action(async (options: OutputOptions) => {
      const added = addDatabase(await readFile(CONFIGURATION, "utf8"));
      if (!added.ok) fail(`nothing was added: ${added.message}`);
      await writeFile(CONFIGURATION, added.configuration);
      const { number, names } = added;
      print({ number, binding: bindingOf(number), database_names: names }, options, (style) =>
        [
          `${style.good("added")} ${bindingOf(number)} to wrangler.toml (${names.join(", ")})`,
          "Now: npm run types, commit both files, npm run deploy; npm start makes the local one.",
        ].join("\n"),
      );
    });

  addOutputOptions(
    addTargetOptions(database.command("list").description("show whether each answers, and how full it is")),
  ).action(async (options: TargetOptions & OutputOptions) => {
    const databases = await withStores(targetOf(options), ({ env }) => readDatabases(env, clock.now()));
    print(databases, options, (style) => drawDatabases(databases, style));
  });
}

export function drawDatabases(databases: readonly DatabaseReading[], style: Style): string {
  const rows = databases.map(({ binding, institutions, held, error }) => [
    `  ${binding}`,
    error === null ? style.good("✓ answers") : style.bad("✗ no answer"),
    grouped(institutions),
    held ? grouped(held.live_tokens) : "",
    held
      ? `${(held.size_bytes / 1e6).toFixed(1)} MB, ${((100 * held.size_bytes) / MAX_DATABASE_BYTES).toFixed(1)} %`
      : "",
  ]);
  const errors = databases.flatMap(({ binding, error }) =>
    error === null ? [] : [`  ${style.bad("✗")} ${binding}: ${error}`],
  );
  return [drawTable(["  database", "", "institutions", "live tokens", "size"], rows, style), ...errors].join("\n");
}
