/**
 * Brings a register into KV. Only what changed is written and what vanished is removed: entries first, then the index of
 * their hashes, last the manifest. Each PSP turns at once, and an import that was broken off is finished by the next one,
 * of the same file or another. Where writes are bounded, as in an invocation of a Worker, it goes on from there.
 */
import type { KeyValueStore } from "../../key-value-store.ts";
import { registerEntries } from "../entries.ts";
import { entryKey, indexKey, manifestKey, pendingKey } from "../keys.ts";
import type { RegisterManifest } from "../manifest.ts";
import type { Register } from "../psp-record.ts";
import { findDropIn, type ImportRefusal, isPsp } from "./dropped-psps.ts";
import { type Index, indexAfter, planImport, shortSha256 } from "./import-plan.ts";

/** Written before an import touches anything: what it is going to touch. Void once the manifest bears the same run. */
interface Pending {
  readonly run: string;
  readonly names: readonly string[];
}

export interface ImportOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Takes a register that drops more than a tenth of the PSPs. */
  readonly force: boolean;
  /** Writes under way together. A Worker has six connections; a store that gathers writes wants many more. */
  readonly writesAtOnce?: number;
  /** Entries written and removed at most; the manifest stays the one before until none is left. */
  readonly maxWrites?: number;
}

export interface ImportCounts {
  readonly country: string;
  readonly source: Register["source"];
  readonly psps: number;
  readonly written: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Entries that `maxWrites` left for another run. */
  readonly left: number;
}

export type ImportResult = ({ readonly ok: true } & ImportCounts) | ({ readonly ok: false } & ImportRefusal);

const WRITES_AT_ONCE = 16;

/** Replaces a country's register of one source. Throws only what the store throws. */
export async function importRegister(
  kv: KeyValueStore,
  register: Register,
  { now, force, writesAtOnce = WRITES_AT_ONCE, maxWrites = Number.POSITIVE_INFINITY }: ImportOptions,
): Promise<ImportResult> {
  const { country, source } = register;
  const [manifest, storedIndex, pending] = await Promise.all([
    kv.get<RegisterManifest>(manifestKey(country, source), "json"),
    kv.get<Index>(indexKey(country, source), "json"),
    kv.get<Pending>(pendingKey(country, source), "json"),
  ]);
  const index = storedIndex ?? {};
  const drop = findDropIn(index, register);
  if (drop && !force) return { ok: false, ...drop };

  // what a broken-off import may have touched: its index was never written, so nobody knows what is stored there
  const unknown = new Set(pending && pending.run !== manifest?.run ? pending.names : []);
  const plan = planImport(register, index, unknown, maxWrites);
  const { next, written, removed, left } = plan;

  const hash = shortSha256(JSON.stringify(Object.entries(next).sort()));
  const touches = written.size + removed.length > 0 || (unknown.size > 0 && left === 0);
  const run = touches || !manifest ? `${new Date(now).toISOString()} ${hash}` : manifest.run;
  if (touches) {
    const pendingNow: Pending = { run, names: [...new Set([...unknown, ...written, ...removed])] };
    await kv.put(pendingKey(country, source), JSON.stringify(pendingNow));
    await inBatches(chosenEntries(register, written), writesAtOnce, ([name, value]) =>
      kv.put(entryKey(country, source, name), value),
    );
    await inBatches(removed, writesAtOnce, (name) => kv.delete(entryKey(country, source, name)));
    await kv.put(indexKey(country, source), JSON.stringify(left === 0 ? next : indexAfter(plan, index, unknown)));
  }
  const psps = Object.keys(next).filter(isPsp).length;
  const { unchanged } = plan;
  const counts = { country, source, psps, written: written.size, removed: removed.length, unchanged, left };
  if (left > 0) {
    // the index tells all of it now
    if (touches) await kv.delete(pendingKey(country, source));
    return { ok: true, ...counts };
  }
  const { ncaId, ncaName, published, refused } = register;
  const manifestNow: RegisterManifest = {
    ...{ country, source, ncaId, ncaName, published, fetchedAt: new Date(now).toISOString() },
    ...{ psps, agents: register.agents.size, refused: refused.length, hash, run },
  };
  await kv.put(manifestKey(country, source), JSON.stringify(manifestNow));
  return { ok: true, ...counts };
}

function* chosenEntries(register: Register, names: ReadonlySet<string>) {
  for (const entry of registerEntries(register)) if (names.has(entry[0])) yield entry;
}

async function inBatches<Item>(items: Iterable<Item>, size: number, work: (item: Item) => Promise<void>) {
  let underWay: Promise<void>[] = [];
  for (const item of items) {
    underWay.push(work(item));
    if (underWay.length < size) continue;
    await Promise.all(underWay);
    underWay = [];
  }
  await Promise.all(underWay);
}
