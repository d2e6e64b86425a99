/** `trust import | list`: whom the service believes: trusted lists, and anchors of other sources. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { now } from "../clock.ts";
import { readTrustFile } from "../eidas/trust-file.ts";
import { importTrustList } from "../eidas/trust-import.ts";
import { fail } from "./fail.ts";
import { withStores } from "./stores.ts";

export function addTrustCommands(program: Command): void {
  const trust = program.command("trust").description("trusted lists and trust anchors");

  trust
    .command("import <file>")
    .description("replace a source's list of a jurisdiction (JSON form: src/eidas/trust-file.ts), or add PEM anchors")
    .option("--source <source>", "for PEM: whose anchors these are, e.g. OBIE")
    .option("--jurisdiction <country>", "for PEM: the country that they are for")
    .option("--remote", "on the deployed service", false)
    .action(async (path: string, options: { source?: string; jurisdiction?: string; remote: boolean }) => {
      const text = await readFile(path, "utf8").catch((error: Error) => fail(error.message));
      const file = readTrustFile(text, options, now());
      if (!file.ok) fail(`${path} is refused:\n${file.problems.join("\n")}`);
      const result = await withStores(options, ({ env }) => importTrustList(env.KV, file.list, now()));
      const { source, jurisdiction, sequenceNumber, services } = file.list;
      console.log(JSON.stringify({ source, jurisdiction, sequenceNumber, services, ...result }, null, 2));
    });
}
