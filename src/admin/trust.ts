/** `trust import`: imports published trusted lists, and trust anchors of other sources. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Command } from "commander";
import { now } from "../clock.ts";
import { canonicalCountry } from "../country.ts";
import { takePublishedList } from "../refresh/published-list.ts";
import { recordFailure, recordSuccess } from "../refresh/refreshes.ts";
import { trustTask } from "../refresh/schedule.ts";
import { readTrustFile } from "../trust/trust-file.ts";
import { importTrustList } from "../trust/trust-import.ts";
import { TRUSTED_LIST_SOURCE } from "../trusted-lists/list.ts";
import { fail } from "./fail.ts";
import { withLease } from "./lease.ts";
import { withStores } from "./stores.ts";

interface Options {
  source?: string;
  jurisdiction?: string;
  pivot: string[];
  remote: boolean;
}

/** The result for a file: a summary of what is loaded now, or the reason for the refusal. */
export type TrustFileImport =
  | { readonly ok: true; readonly loaded: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string };

export function addTrustCommands(program: Command): void {
  const trust = program.command("trust").description("trusted lists and trust anchors");

  trust
    .command("import <files...>")
    .description(
      "take published trusted lists (XML; the list of lists first), lists in JSON form (src/trust/trust-file.ts), or PEM anchors",
    )
    .option("--source <source>", "for PEM: whose anchors these are, e.g. OBIE")
    .option("--jurisdiction <country>", "for PEM: the country that they are for")
    .option("--pivot <files...>", "for a list of lists whose signer is not pinned: the pivots to it, oldest first", [])
    .option("--remote", "on the deployed service", false)
    .action(async (paths: string[], options: Options) => {
      const read = (path: string) => readFile(path).catch((error: Error) => fail(error.message));
      const pivots = await Promise.all(options.pivot.map(read));
      const refused = await withStores(options, ({ env }) =>
        withLease(env.DB, async () => {
          let refused = 0;
          for (const path of paths) {
            const result = await importTrustFile(
              env,
              { name: basename(path), bytes: await read(path), pivots },
              options,
            );
            if (result.ok) console.log(JSON.stringify(result.loaded, null, 2));
            else console.error(`error: ${path} is refused: ${result.message}`);
            if (!result.ok) refused++;
          }
          return refused;
        }),
      );
      if (refused > 0) fail(`${refused} of ${paths.length} refused: what was loaded before is as it was`);
    });
}

/** Imports one file of any form. A refused file changes no loaded data; `status` reports the refusal. */
export async function importTrustFile(
  { KV, DB }: Pick<Env, "KV" | "DB">,
  file: { name: string; bytes: Uint8Array; pivots: readonly Uint8Array[] },
  named: { source?: string; jurisdiction?: string },
): Promise<TrustFileImport> {
  const at = now();
  const text = new TextDecoder().decode(file.bytes);
  if (file.name.endsWith(".xml") || text.trimStart().startsWith("<")) {
    const taken = await takePublishedList(KV, { bytes: file.bytes, pivots: file.pivots, now: at });
    const jurisdiction = taken.ok ? taken.list.territory : claimedTerritory(file.name, text);
    const task = jurisdiction && trustTask(TRUSTED_LIST_SOURCE, jurisdiction);
    if (!taken.ok) {
      const message = `${taken.reason}: ${taken.message}`;
      if (task) await recordFailure(DB, task, 1, { message: `${file.name} was refused: ${message}` }, at);
      return { ok: false, message };
    }
    if (task) await recordSuccess(DB, task, {}, at);
    const { sequenceNumber, issued, nextUpdate, services, caQc, skipped } = taken.list;
    const head = { source: TRUSTED_LIST_SOURCE, jurisdiction, sequenceNumber, issued, nextUpdate, stale: taken.stale };
    return { ok: true, loaded: { ...head, services, caQc, skipped, ...taken.counts } };
  }
  const own = readTrustFile(text, named, at);
  if (!own.ok) return { ok: false, message: own.problems.join("\n") };
  const counts = await importTrustList(KV, own.list, at);
  const { source, jurisdiction, sequenceNumber, nextUpdate, services } = own.list;
  await recordSuccess(DB, trustTask(source, jurisdiction), {}, at);
  return { ok: true, loaded: { source, jurisdiction, sequenceNumber, nextUpdate, services, ...counts } };
}

/** The territory that a refused file, or its name, claims. Not verified: only for the operator's report. */
function claimedTerritory(name: string, text: string): string | null {
  const [, inside] = /<(?:[\w-]+:)?SchemeTerritory>\s*([A-Z]{2})\s*</.exec(text) ?? [];
  const [, named] = /^([A-Z]{2})\b/.exec(name) ?? [];
  const found = inside ?? named;
  return found === undefined ? null : canonicalCountry(found);
}
