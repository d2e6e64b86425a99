/** `trust import`: imports published trusted lists, and trust anchors of other sources. */
import { basename } from "node:path";
import type { Command } from "commander";
import { fail, readInput } from "./fail.ts";
import { withLease } from "./lease.ts";
import { addOutputOptions, describeFields, type OutputOptions, print } from "./output.ts";
import { withStores } from "./stores.ts";
import { addTargetOptions, type TargetOptions, targetOf } from "./target.ts";

interface Options extends TargetOptions, OutputOptions {
  source?: string;
  jurisdiction?: string;
  pivot: string[];
}

export function addTrustCommands(program: Command): void {
  const trust = program.command("trust").description("trusted lists and trust anchors");

  addOutputOptions(
    addTargetOptions(
      trust
        .command("import <files...>")
        .description(
          "import published trusted lists (XML; the list of lists first), lists in JSON form (src/trust/trust-file.ts), or PEM anchors",
        ),
    ),
  )
    .option("--source <source>", "for PEM: whose anchors these are, e.g. OBIE")
    .option("--jurisdiction <country>", "for PEM: the country that they are for")
    .option("--pivot <files...>", "for a list of lists whose signer is not pinned: the pivots to it, oldest first", [])
    .addHelpText(
      "after",
      "\nExamples:\n  trust import eu-lotl.xml FI.xml\n  trust import ca.pem --source OBIE --jurisdiction GB",
    )
    .action(async (paths: string[], options: Options) => {
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
