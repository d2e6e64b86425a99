/**
 * Imports a register into KV. Writes only changed entries and removes those that are no longer in the register: entries
 * first, then the index of their hashes, then the manifest. Each PSP is replaced in one write. If an import is
 * interrupted, the next one finishes it, with the same file or another. If the number of writes is limited, as in an
 * invocation of a Worker, the next run continues.
 */
import { type ImportChange, NO_CHANGE, recordChange, sumChanges } from "../../import-change.ts";
import { deleteNote, type KeyValueStore } from "../../key-value-store.ts";
import { registerEntries, type StoredPsps } from "../entries.ts";
import { entryKey, indexKey, manifestKey, pendingKey, pspName } from "../keys.ts";
import { MOST_KEPT_NAMED, type RegisterManifest } from "../manifest.ts";
import type { RefusedPsp, Register } from "../register.ts";
import { findDropIn, type ImportRefusal, isPsp } from "./dropped-psps.ts";
import { type ImportPlan, type Index, indexAfter, planImport, shortSha256 } from "./import-plan.ts";

/** Names that an import will change, stored before its first change. Obsolete once the manifest has the same run. */
interface Pending {
  readonly run: string;
  readonly names: readonly string[];
}

export interface ImportOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Import even if the register lacks more than a tenth of the stored PSPs. */
  readonly force: boolean;
  /** Concurrent writes. A Worker may have six connections; a store that batches writes needs many more. */
  readonly writesAtOnce?: number;
  /** The most entries to write and remove. The manifest is not replaced until none is left. */
  readonly maxWrites?: number;
  /** Called after each entry with the number written so far, and of all that are to be written. */
  readonly onEntries?: (written: number, of: number) => void;
}

export interface ImportCounts {
  readonly country: string;
  readonly source: Register["source"];
  readonly psps: number;
  readonly written: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Entries left for the next run because of `maxWrites`. */
  readonly left: number;
  /** Number of PSPs whose records in the file are malformed. */
  readonly refused: number;
  /** Of these, the numbers of those that stay as of an earlier snapshot; the others are not in the register. */
  readonly kept: readonly string[];
}

export type ImportResult = ({ readonly ok: true } & ImportCounts) | ({ readonly ok: false } & ImportRefusal);

const WRITES_AT_ONCE = 16;

/** Replaces a country's register of one source. Throws only errors of the store. */
export async function importRegister(
  kv: KeyValueStore,
  register: Register,
  { now, force, writesAtOnce = WRITES_AT_ONCE, maxWrites = Number.POSITIVE_INFINITY, onEntries }: ImportOptions,
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

  // entries that an interrupted import may have changed: it did not write its index, so their values are unknown
  const unknown = new Set(pending && pending.run !== manifest?.run ? pending.names : []);
  const kept = manifest ? await readKept(kv, register, index, manifest) : new Map<string, string>();
  const plan = planImport(allEntries(register, kept), index, unknown, maxWrites);
  const { next, written, removed, left } = plan;

  const hash = shortSha256(JSON.stringify(Object.entries(next).sort()));
  const touches = written.size + removed.length > 0 || (unknown.size > 0 && left === 0);
  const run = touches || !manifest ? `${new Date(now).toISOString()} ${hash}` : manifest.run;
  if (touches) {
    const pendingNow: Pending = { run, names: [...new Set([...unknown, ...written, ...removed])] };
    await kv.put(pendingKey(country, source), JSON.stringify(pendingNow));
    let done = 0;
    await inBatches(chosenEntries(register, kept, written), writesAtOnce, async ([name, value]) => {
      await kv.put(entryKey(country, source, name), value);
      onEntries?.(++done, written.size);
    });
    await inBatches(removed, writesAtOnce, (name) => kv.delete(entryKey(country, source, name)));
    await kv.put(indexKey(country, source), JSON.stringify(left === 0 ? next : indexAfter(plan, index, unknown)));
  }
  const psps = Object.keys(next).filter(isPsp).length;
  const { unchanged } = plan;
  // one may have several malformed records
  const refused = new Map(register.refused.map((one) => [toName(one), one.authNumber]));
  const stay = [...refused].flatMap(([name, authNumber]) => (kept.has(name) ? [authNumber] : [])).sort();
  const counts = {
    ...{ country, source, psps, written: written.size, removed: removed.length, unchanged, left },
    ...{ refused: refused.size, kept: stay },
  };
  const change = countPsps(plan, index, unknown);
  if (left > 0) {
    if (manifest && touches) {
      const changeSoFar = sumChanges(manifest.changeSoFar ?? NO_CHANGE, change);
      await kv.put(manifestKey(country, source), JSON.stringify({ ...manifest, changeSoFar }));
    }
    // not needed any more: the index now records the same
    if (touches) await deleteNote(kv, pendingKey(country, source));
    return { ok: true, ...counts };
  }
  const { ncaId, ncaName, published } = register;
  const manifestNow: RegisterManifest = {
    ...{ country, source, ncaId, ncaName, published, fetchedAt: new Date(now).toISOString() },
    ...{ psps, agents: register.agents.size, refused: refused.size, hash, run },
    ...(stay.length > 0 && { kept: stay.slice(0, MOST_KEPT_NAMED) }),
    // of the first import only the PSPs are known that its last run found stored
    ...recordChange(manifest, manifest ? change : { ...NO_CHANGE, added: psps }, now),
  };
  await kv.put(manifestKey(country, source), JSON.stringify(manifestNow));
  return { ok: true, ...counts };
}

const toName = ({ authNumber }: RefusedPsp): string => pspName(authNumber);

/**
 * The stored entries of PSPs whose new records are malformed, with the publication that they are as of: what is kept of an
 * earlier snapshot is not to pass for this one's.
 */
async function readKept(
  kv: KeyValueStore,
  { country, source, refused }: Register,
  index: Index,
  { published }: RegisterManifest,
): Promise<Map<string, string>> {
  const ended = new Set(refused.filter(({ ends }) => ends).map(toName));
  const names = new Set(refused.map(toName).filter((name) => name in index && !ended.has(name)));
  const kept = new Map<string, string>();
  await inBatches(names, WRITES_AT_ONCE, async (name) => {
    const stored = await kv.get<StoredPsps>(entryKey(country, source, name), "json");
    if (stored) kept.set(name, JSON.stringify(stored.map((psp) => ({ ...psp, asOf: psp.asOf ?? published }))));
  });
  return kept;
}

/** The register's, but for those that stay. */
function* allEntries(register: Register, kept: ReadonlyMap<string, string>) {
  for (const entry of registerEntries(register)) if (!kept.has(entry[0])) yield entry;
  yield* kept;
}

function countPsps({ written, removed }: ImportPlan, index: Index, unknown: ReadonlySet<string>): ImportChange {
  const psps = [...written].filter(isPsp);
  const added = psps.filter((name) => index[name] === undefined && !unknown.has(name)).length;
  return { added, changed: psps.length - added, removed: removed.filter(isPsp).length };
}

function* chosenEntries(register: Register, kept: ReadonlyMap<string, string>, names: ReadonlySet<string>) {
  for (const entry of allEntries(register, kept)) if (names.has(entry[0])) yield entry;
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
