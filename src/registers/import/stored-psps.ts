/** Reads all PSPs of a loaded register out of KV, without the copies that links made, and without agents. */
import { bulkReads, callStore, LONG_STORE_TIMEOUT_MS } from "../../platform/stores.ts";
import { entryKey } from "../keys.ts";
import type { PspRecord } from "../psp-record.ts";
import { type StoredPsps, withoutCopies } from "../register.ts";
import { isPspEntry, shortSha256, UNKNOWN_HASH } from "./import-plan.ts";
import { inBatches, type RegisterName, type StoredRegister } from "./stored-register.ts";

export interface StoredContents {
  readonly psps: readonly PspRecord[];
  /** Names of entries that KV shows otherwise than the index says: it lags, or an import broke off. */
  readonly doubtful: ReadonlySet<string>;
}

/** A Worker may have six connections. */
const READS_AT_ONCE = 6;

export async function readStoredPsps(
  kv: KVNamespace,
  { country, source }: RegisterName,
  { index, unknown }: Pick<StoredRegister, "index" | "unknown">,
): Promise<StoredContents> {
  const hashOf = (name: string) => (unknown.has(name) ? UNKNOWN_HASH : (index[name] ?? UNKNOWN_HASH));
  const names = [...new Set([...Object.keys(index), ...unknown])].filter((name) => isPspEntry(name, hashOf(name)));
  const found = new Map<string, StoredPsps | null>();
  await inBatches(bulkReads(names), READS_AT_ONCE, async (batch) => {
    const keys = batch.map((name) => entryKey(country, source, name));
    const read = await callStore("KV", () => kv.get<StoredPsps>(keys, "json"), LONG_STORE_TIMEOUT_MS);
    for (const [i, name] of batch.entries()) found.set(name, read.get(keys[i] ?? "") ?? null);
  });
  const isDoubtful = (name: string) => shortSha256(JSON.stringify(found.get(name) ?? null)) !== hashOf(name);
  return {
    // in the order of the index, whichever read came first
    psps: names.flatMap((name) => withoutCopies(found.get(name) ?? [])),
    doubtful: new Set(names.filter(isDoubtful)),
  };
}
