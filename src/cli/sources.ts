/** The commands that load what checks are based on: `trust import`, `register import | list`, `refresh`. */
import { basename } from "node:path";
import { type Command, Option } from "commander";
import { clock, relativeTime } from "../platform/clock.ts";
import type { RefreshEnv } from "../refresh/schedule.ts";
import { REGISTER_SOURCES, type RegisterSource } from "../registers/psp-record.ts";
import { fail, readInput } from "./fail.ts";
import { withLease } from "./lease.ts";
import { describeFields, drawTable, grouped, print } from "./output.ts";
import type { RefreshPart } from "./refresh-all.ts";
import { withStores } from "./stores.ts";
import { addTargetOptions, type Common, commandsOf, type TargetOptions, targetOf } from "./target.ts";

interface TrustImport extends Common {
  source?: string;
  jurisdiction?: string;
  pivot: string[];
}

export function addTrustCommands(program: Command): void {
  const command = commandsOf(program.command("trust").description("trusted lists and trust anchors"));
  command(
    "import <files...>",
    "import published trusted lists (XML; the list of lists first), lists in JSON form (src/trust/trust-file.ts), or PEM anchors",
  )
    .option("--source <source>", "for PEM: whose anchors these are, e.g. OBIE")
    .option("--jurisdiction <country>", "for PEM: the country that they are for")
    .option("--pivot <files...>", "for a list of lists whose signer is not pinned: the pivots to it, oldest first", [])
    .addHelpText(
      "after",
      "\nExamples:\n  trust import eu-lotl.xml FI.xml\n  trust import ca.pem --source OBIE --jurisdiction GB",
    )
    .action(async (paths: string[], options: TrustImport) => {
      const { importTrustFile } = await import("./trust-files.ts");
      const pivots = await Promise.all(options.pivot.map(readInput));
      const refused = await withStores(targetOf(options), ({ env }) =>
        withLease(env.DB, async (leased) => {
          let refused = 0;
          for (const [i, path] of paths.entries()) {
            leased.left = `${i} of ${paths.length} files are done: the same command does the others`;
            const result = await importTrustFile(
              env,
              { name: basename(path), bytes: await readInput(path), pivots },
              options,
            );
            if (result.ok)
              print(
                result.loaded,
                options,
                (style) => `${style.good("loaded")} ${path}\n${describeFields(result.loaded, style, "  ")}`,
              );
            else console.error(`error: ${path} is refused: ${result.message}`);
            if (!result.ok) refused++;
          }
          return refused;
        }),
      );
      if (refused > 0) fail(`${refused} of ${paths.length} refused: what was loaded before is as it was`);
    });
}

interface RegisterImport extends Common {
  source?: RegisterSource;
  sha256?: string;
  force: boolean;
  older: boolean;
}

export function addRegisterCommands(program: Command): void {
  const command = commandsOf(program.command("register").description("registers of NCAs"));
  command(
    "import <file>",
    "replace a country's register by what the file says: JSON or CSV (src/registers/import/own-form.ts, own-form-csv.ts), or all of the EBA's by its JSON or ZIP",
  )
    .addOption(new Option("--source <source>", "whose register it must be").choices(REGISTER_SOURCES))
    .option("--sha256 <hex>", "for the EBA's: checksum of the file, from its metadata")
    .option("--force", "take a file that drops more than a tenth of a country's PSPs", false)
    .option("--older", "take a file from before the one that was imported last", false)
    .addHelpText("after", "\nExamples:\n  register import fixtures/register-example.csv\n  register import PSDMD.zip")
    .action(async (path: string, options: RegisterImport) => {
      const { importEbaFile, importOwnForm, isEbaFile } = await import("./register-files.ts");
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

  command("list", "the registers that are loaded, and how old they are").action(async (options: Common) => {
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

const PARTS = ["trust", "eba", "crl"] as const satisfies readonly RefreshPart[];

export function addRefreshCommand(program: Command): void {
  addTargetOptions(
    program
      .command("refresh")
      .description("fetch trusted lists, the EBA's register and kept CRLs from their sources now")
      .addOption(new Option("--only <part>", "one of them").choices(PARTS)),
  )
    .addHelpText("after", "\nExamples:\n  refresh\n  refresh --only trust")
    .action(async (options: TargetOptions & { only?: RefreshPart }) => {
      const { refreshAll } = await import("./refresh-all.ts");
      const parts = options.only ? [options.only] : PARTS;
      const failed = await withStores(targetOf(options), ({ env }) =>
        withLease(env.DB, (leased) => refreshAll({ ...env, ...givenAddresses() }, parts, leased)),
      );
      if (failed > 0) fail(`${failed} failed: what was loaded before is as it was`);
    });
}

/** Addresses of sources. The environment overrides wrangler.toml. */
const ADDRESSES = ["LOTL_URL", "TRUSTED_LIST_URL_TEMPLATE", "EBA_METADATA_URL", "EBA_FILES_URL"] as const;

const givenAddresses = (): Partial<Pick<RefreshEnv, (typeof ADDRESSES)[number]>> =>
  Object.fromEntries(ADDRESSES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
