/** The commands that load what checks are based on: `trust import`, `register import | list`, `refresh`. */
import { basename } from "node:path";
import { type Command, Option } from "commander";
import { clock, relativeTime } from "../../platform/clock.ts";
import { readCountry } from "../../platform/country.ts";
import type { RefreshEnv } from "../../refresh/schedule.ts";
import { EBA, FETCHED_REGISTERS, REGISTER_SOURCES, type RegisterSource, SOURCES } from "../../registers/sources.ts";
import { fail, readInput } from "../fail.ts";
import { asksForJson, describeFields, drawTable, grouped, print, type Style, showControls } from "../output.ts";
import { withStores } from "../stores.ts";
import { type Common, commandsOf, targetOf } from "../target.ts";
import { withLease } from "./lease.ts";
import { addNumberCommands } from "./number-commands.ts";
import type { RefreshPart } from "./refresh-all.ts";

interface TrustImport extends Common {
  source?: string;
  jurisdiction?: string;
  pivot: string[];
}

const TRUST_HELP = `
Of each file it says:
  source          whose list it is; eIDAS: the published lists
  jurisdiction    the country of the list; EU: the list of lists
  sequenceNumber  its number, as issued and nextUpdate from the list
  issued          when it was issued
  nextUpdate      until when its publisher issues the next one
  current         whether nextUpdate lies ahead. One that is past it is loaded and used, and answers warn of it
                  (JSON: stale, the contrary)
  services        trust services in it, of all kinds; in a file of anchors: the anchors
  caQc            those of them that issue qualified certificates: only these are used
  skipped         services and certificates of these, and signers in a list of lists, that cannot be used, and why; a dash: none
  written         names of CAs whose anchors are new or changed
  removed         names that have no anchor any more
  unchanged       names whose anchors are as they were
  left            names that are still to be written: 0, it is loaded as a whole
As JSON it is a list with an element for each file: file, ok, and these or error.

Examples:
  trust import eu-lotl.xml FI.xml
  trust import ca.pem --source OBIE --jurisdiction GB`;

export function addTrustCommands(program: Command): void {
  const command = commandsOf(program.command("trust").description("trusted lists and trust anchors"));
  command(
    "import <files...>",
    "import published trusted lists (XML; the list of lists first), lists in JSON form (src/trust/trust-file.ts), or PEM anchors",
  )
    .option("--source <source>", "for PEM: whose anchors these are, e.g. OBIE")
    .option("--jurisdiction <country>", "for PEM: the country that they are for")
    .option("--pivot <files...>", "for a list of lists whose signer is not pinned: the pivots to it, oldest first", [])
    .addHelpText("after", TRUST_HELP)
    .action(async (paths: string[], options: TrustImport) => {
      const { importTrustFile } = await import("./trust-files.ts");
      const pivots = await Promise.all(options.pivot.map(readInput));
      const inputs = await Promise.all(paths.map(async (path) => ({ path, bytes: await readInput(path) })));
      const asText = !asksForJson(options);
      const ended: object[] = [];
      let refused = 0;
      const target = targetOf(options);
      const production = target.remote && target.environment === null;
      await withStores(target, ({ env }) =>
        withLease(env.DB, async (leased) => {
          for (const [i, { path, bytes }] of inputs.entries()) {
            leased.left = `${i} of ${paths.length} files are done: the same command does the others`;
            const result = await importTrustFile(
              env,
              { name: basename(path), bytes, pivots },
              { ...options, production },
            );
            if (result.ok) {
              ended.push({ file: path, ok: true, ...result.loaded });
              if (asText) print(result.loaded, options, (style) => describeLoaded(path, result.loaded, style));
              continue;
            }
            refused++;
            ended.push({ file: path, ok: false, error: result.message });
            console.error(`error: ${path} is refused: ${result.message}`);
          }
        }),
      );
      if (!asText) print(ended, options, () => "");
      if (refused > 0) fail(`${refused} of ${paths.length} refused: what was loaded before is as it was`);
    });
}

/** In words of which the good ones are good: a list that is not stale is current. */
function describeLoaded(path: string, { stale, ...loaded }: Readonly<Record<string, unknown>>, style: Style): string {
  const shown = { ...loaded, ...(stale !== undefined && { current: !stale }) };
  return `${style.good("loaded")} ${path}\n${describeFields(shown, style, "  ")}`;
}

interface RegisterImport extends Common {
  source?: RegisterSource;
  sha256?: string;
  force: boolean;
  older: boolean;
}

export function addRegisterCommands(program: Command): void {
  const register = program.command("register").description("registers of NCAs");
  addNumberCommands(register);
  const command = commandsOf(register);
  command(
    "import <file>",
    "replace a country's register by what the file says: JSON or CSV (src/registers/import/own-form.ts, own-form-csv.ts), or all of one of the EBA's by its JSON or ZIP",
  )
    .addOption(new Option("--source <source>", "whose register it must be").choices(REGISTER_SOURCES))
    .option("--sha256 <hex>", "for the EBA's: checksum of the file, from its metadata")
    .option("--force", "take a file that drops more than a tenth of a country's PSPs", false)
    .option("--older", "take a file from before the one that was imported last", false)
    .addHelpText("after", "\nExamples:\n  register import fixtures/register-example.csv\n  register import PSDMD.zip")
    .action(async (path: string, options: RegisterImport) => {
      const { findEuclidSource, importEuclidFile, importOwnForm } = await import("./register-files.ts");
      const found = await findEuclidSource(path);
      if (found && options.source !== found) {
        const what = SOURCES[found].title;
        if (options.source) fail(`${path} is refused: it is ${what}, not one of the source ${options.source}`);
        console.error(`${path} is ${what}: it is imported as such (--source ${found})`);
      }
      const all = found ?? (options.source === EBA ? EBA : null);
      const target = targetOf(options);
      const taking = { ...options, bulk: target.remote };
      const result = await withStores<object>(target, ({ env }) =>
        withLease<object>(env.DB, (leased) =>
          all ? importEuclidFile(env, path, all, taking, leased) : importOwnForm(env, path, taking, leased),
        ),
      );
      print(result, options, (style) => `${style.good("imported")} ${path}\n${describeFields(result, style, "  ")}`);
    });

  command("find <text>", "search the loaded registers by a part of a name, a number, or an LEI")
    .option("--country <country>", "search this country alone")
    .addHelpText(
      "after",
      "\nExamples:\n  register find 'amber pay'\n  register find PSDDE-BAFIN-106653\n  register find 5299004NZNUWZY25O632 --country AT",
    )
    .action(async (text: string, options: Common & { country?: string }) => {
      const { describeEntry, MIN_SOUGHT_CHARACTERS, searchRegisters } = await import("../../registers/search.ts");
      if (text.trim().length < MIN_SOUGHT_CHARACTERS)
        fail(`${text} is too short: give at least ${MIN_SOUGHT_CHARACTERS} characters of a name, a number or an LEI`);
      const country = options.country === undefined ? null : readCountry(options.country);
      if (options.country !== undefined && country === null)
        fail(`${options.country} is no country: give its two letters, such as DE`);
      const search = await withStores(targetOf(options), ({ env }) => searchRegisters(env.KV, text.trim(), country));
      const entries = search.entries.map((entry) => describeEntry(entry, clock.now()));
      print({ ...search, entries }, options, (style) =>
        entries.length === 0
          ? `none of ${search.searched.length} registers has it: look whether its country's is loaded (register list)`
          : [
              ...entries.map((entry) => describeFields(entry, style)),
              ...(search.more ? ["there are more: say --country, or more of the name"] : []),
            ].join("\n\n"),
      );
    });

  command("list", "the registers that are loaded, and how old they are").action(async (options: Common) => {
    const { listRegisters } = await import("../../registers/manifest.ts");
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

const PARTS: readonly RefreshPart[] = ["trust", ...FETCHED_REGISTERS, "crl"];

export function addRefreshCommand(program: Command): void {
  commandsOf(program)("refresh", "fetch trusted lists, the EBA's registers and kept CRLs from their sources now")
    .addOption(new Option("--only <part>", "one of them").choices(PARTS))
    .addHelpText("after", "\nExamples:\n  refresh\n  refresh --only trust")
    .action(async (options: Common & { only?: RefreshPart }) => {
      const { refreshAll } = await import("./refresh-all.ts");
      const parts = options.only ? [options.only] : PARTS;
      const asText = !asksForJson(options);
      const ended = await withStores(targetOf(options), ({ env }) =>
        withLease(env.DB, (leased) =>
          refreshAll({ ...env, ...givenAddresses() }, parts, leased, (end) => {
            if (!end.ok) console.error(`error: ${end.task}: ${end.error}`);
            else if (asText) console.log(showControls(`${end.task}: ${end.summary}`));
          }),
        ),
      );
      if (!asText) print(ended, options, () => "");
      const failed = ended.filter(({ ok }) => !ok).length;
      if (failed > 0) fail(`${failed} failed: what was loaded before is as it was`);
    });
}

/** Addresses of sources. The environment overrides wrangler.toml. */
const ADDRESSES = [
  "LOTL_URL",
  "TRUSTED_LIST_URL_TEMPLATE",
  "EBA_METADATA_URL",
  "EBA_FILES_URL",
  "EBA_SEARCH_URL",
] as const;

const givenAddresses = (): Partial<Pick<RefreshEnv, (typeof ADDRESSES)[number]>> =>
  Object.fromEntries(ADDRESSES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
