/** The commands `register numbers import | remove | list`. */
import type { Command } from "commander";
import { clock, nameDay, parseDay } from "../../platform/clock.ts";
import { canonicalCountry } from "../../platform/country.ts";
import type { LeftOut } from "../../registers/import/national-numbers.ts";
import { fail } from "../fail.ts";
import { drawTable, grouped, print, type Style } from "../output.ts";
import { withStores } from "../stores.ts";
import { type Common, commandsOf, targetOf } from "../target.ts";
import { withLease } from "./lease.ts";

const NUMBERS_HELP = `
The forms of the file: src/registers/import/numbers-file.ts. It replaces the numbers of each country and source in it.
BaFin's export and REGAFI's are recognised (docs/registers.md). They do not say their day: say it with --as-of.
Of each loaded register it says:
  written, removed  entries under the numbers of certificates that are new, changed or gone
  found             numbers that find an entry now
  own_entry         numbers that the register has itself: its entry counts
  no_entry          numbers that fit no entry
  contradicted      numbers that find nothing, as links of them lead to several entries, or an entry has two of a kind

Examples:
  register numbers import fixtures/numbers-example.csv
  register numbers import unternehmensdatenbank.csv --as-of 2026-11-28
  register numbers remove --country DE --source BaFin`;

export function addNumberCommands(register: Command): void {
  const command = commandsOf(
    register.command("numbers").description("numbers in certificates that are not those in the registers"),
  );
  command("import <file>", "replace what the file's sources say of its countries, in CSV or JSON")
    .option("--as-of <day>", "of a national register's file: the day when it was downloaded")
    .addHelpText("after", NUMBERS_HELP)
    .action(async (path: string, options: Common & { asOf?: string }) => {
      const asOf = options.asOf === undefined ? null : readDay(options.asOf);
      const { importNumbers } = await import("./number-files.ts");
      const target = targetOf(options);
      const result = await withStores(target, ({ env }) =>
        withLease(env.DB, (leased) => importNumbers(env, path, { bulk: target.remote, asOf }, leased)),
      );
      print(result, options, (style) => `${style.good("imported")} ${path}: ${describeApplied(result, style)}`);
    });

  command("remove", "remove what a source says of a country")
    .requiredOption("--country <country>", "the country")
    .requiredOption("--source <source>", "the source, as the file named it")
    .action(async (options: Common & { country: string; source: string }) => {
      const { removeNumbers } = await import("./number-files.ts");
      const target = targetOf(options);
      const pair = { country: canonicalCountry(options.country), source: options.source };
      const result = await withStores(target, ({ env }) =>
        withLease(env.DB, (leased) => removeNumbers(env, pair, { bulk: target.remote }, leased)),
      );
      print(result, options, (style) => `${style.good("removed")} ${describeApplied(result, style)}`);
    });

  command("list", "the numbers by country, source and kind, and what they find").action(async (options: Common) => {
    const { countNumbers } = await import("./number-files.ts");
    const counted = await withStores(targetOf(options), ({ env }) => countNumbers(env));
    print(counted, options, (style) => {
      if (counted.length === 0) return "no number is stored: register numbers import FILE";
      const head = ["country", "source", "kind", "numbers", "found", "own entry", "no entry", "contradicted"];
      const rows = counted.map(({ country, source, kind, numbers, found, own_entry, no_entry, contradicted }) => {
        return [country, source, kind, ...[numbers, found, own_entry, no_entry, contradicted].map(grouped)];
      });
      const named = counted.flatMap(({ noEntry, several }) => [
        ...noEntry.map((number) => `${number} fits no entry`),
        ...several.map((number) => `${number} leads to several entries, or is one of two of a kind: it finds none`),
      ]);
      return [drawTable(head, rows, style), ...named].join("\n");
    });
  });
}

/** Fails for what is no day, or lies ahead. */
function readDay(text: string): string {
  const [day, today] = [parseDay(text), nameDay(clock.now())];
  if (day === null) fail(`--as-of: ${text} is not a day such as ${today}`);
  if (text > today) fail(`--as-of: ${text} lies ahead`);
  return text;
}

interface AppliedNumbers {
  readonly numbers: number;
  readonly leftOut?: LeftOut;
  readonly registers: readonly Readonly<Record<string, string | number>>[];
}

const describeApplied = ({ numbers, leftOut, registers }: AppliedNumbers, style: Style): string => {
  const [first] = registers;
  const out = Object.entries(leftOut ?? {}).flatMap(([why, count]) => (count > 0 ? [`${grouped(count)} ${why}`] : []));
  const said = `${grouped(numbers)} numbers${out.length > 0 ? `, left out: ${out.join(", ")}` : ""}`;
  if (!first) return `${said}. No register of these countries is loaded: its import uses them`;
  const rows = registers.map((one) =>
    Object.values(one).map((value) => (typeof value === "number" ? grouped(value) : value)),
  );
  return `${said}\n${drawTable(Object.keys(first), rows, style)}`;
};
