/** `trust import` of one file: a published trusted list, a list in JSON form, or PEM anchors. */
import { clock } from "../../platform/clock.ts";
import { canonicalCountry } from "../../platform/country.ts";
import { acceptPublishedList, readListOfLists } from "../../refresh/published-list.ts";
import { recordRefusedImport, recordSuccess } from "../../refresh/refreshes.ts";
import { trustTask } from "../../refresh/schedule.ts";
import { TRUSTED_LIST_SOURCE } from "../../trust/anchors.ts";
import { isSandboxSource } from "../../trust/sandbox-source.ts";
import { readTrustFile } from "../../trust/trust-file.ts";
import { importTrustList } from "../../trust/trust-import.ts";

/** What became of a file: `ok` and what is loaded now, or why it was refused. */
export type TrustFileImport =
  | { readonly ok: true; readonly loaded: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string };

/** Imports a file of any of the forms. A refused file changes nothing that is loaded; `status` shows the refusal. */
export async function importTrustFile(
  { KV, DB }: Pick<Env, "KV" | "DB">,
  file: { name: string; bytes: Uint8Array; pivots: readonly Uint8Array[] },
  named: { source?: string; jurisdiction?: string; production?: boolean },
): Promise<TrustFileImport> {
  const now = clock.now();
  const text = new TextDecoder().decode(file.bytes);
  if (file.name.endsWith(".xml") || text.trimStart().startsWith("<")) {
    const { bytes, pivots } = file;
    const accepted = await acceptPublishedList(KV, { bytes, listOfLists: await readListOfLists(KV), pivots, now });
    const jurisdiction = accepted.ok ? accepted.list.territory : claimedTerritory(file.name, text);
    const task = jurisdiction && trustTask(TRUSTED_LIST_SOURCE, jurisdiction);
    if (!accepted.ok) {
      const message = `${accepted.reason}: ${accepted.message}`;
      if (task) await recordRefusedImport(DB, task, `${file.name} was refused: ${message}`, now);
      return { ok: false, message };
    }
    const { sequenceNumber, issued, nextUpdate, services, caQc, skipped } = accepted.list;
    // at its end: events wait from then on until KV shows it everywhere (refresh/events.ts)
    if (task) await recordSuccess(DB, task, { newest: { sequenceNumber, issuedAt: issued } }, clock.now());
    const head = {
      source: TRUSTED_LIST_SOURCE,
      jurisdiction,
      sequenceNumber,
      issued,
      nextUpdate,
      stale: accepted.stale,
    };
    return { ok: true, loaded: { ...head, services, caQc, skipped, ...accepted.counts } };
  }
  const own = readTrustFile(text, named, now);
  if (!own.ok) return { ok: false, message: own.problems.join("\n") };
  // the next refresh of that country would replace it, or drop it where the list of lists names none
  if (own.list.source === TRUSTED_LIST_SOURCE)
    return { ok: false, message: `${TRUSTED_LIST_SOURCE} is the source of the published lists: name another one` };
  if (named.production && isSandboxSource(own.list.source))
    return { ok: false, message: `${own.list.source} is a sandbox's list, and production has no sandbox` };
  const counts = await importTrustList(KV, own.list, now);
  const { source, jurisdiction, sequenceNumber, nextUpdate, services } = own.list;
  await recordSuccess(DB, trustTask(source, jurisdiction), {}, clock.now());
  return { ok: true, loaded: { source, jurisdiction, sequenceNumber, nextUpdate, services, ...counts } };
}

/** Whose list a refused file is meant to be, as it or its name says: only for telling the operator. */
function claimedTerritory(name: string, text: string): string | null {
  const [, inside] = /<(?:[\w-]+:)?SchemeTerritory>\s*([A-Z]{2})\s*</.exec(text) ?? [];
  const [, named] = /^([A-Z]{2})\b/.exec(name) ?? [];
  const found = inside ?? named;
  return found === undefined ? null : canonicalCountry(found);
}
