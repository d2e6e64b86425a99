/**
 * Brings a register into KV. Only what changed is written and what vanished is removed: entries first, then the index of
 * their hashes, last the manifest. Each PSP turns at once, and an import that was broken off is finished by the next one,
 * of the same file or another. Where writes are bounded, as in an invocation of a Worker, it goes on from there.
 */
import { createHash } from "node:crypto";
import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import type { KeyValueStore } from "../../key-value-store.ts";
import { registerEntries } from "../entries.ts";
import { entryKey, indexKey, manifestKey, PSP_NAMES, pendingKey, pspName } from "../keys.ts";
import type { RegisterManifest } from "../manifest.ts";
import type { Register } from "../psp-record.ts";

/** Name of each entry that is stored -> hash of its value. */
type Index = Readonly<Record<string, string>>;

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

/** The register would drop so many of the PSPs that are stored that it looks broken rather than new. */
export interface ImportRefusal {
  readonly reason: "drops-too-many";
  readonly country: string;
  readonly source: Register["source"];
  readonly stored: number;
  /** PSPs that are stored and missing in the register, or malformed there. */
  readonly dropped: number;
}

const MAX_DROPPED_SHARE = 0.1;
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

  const hash = sha256(JSON.stringify(Object.entries(next).sort()));
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

interface Plan {
  /** The index when all is done. */
  readonly next: Index;
  /** Names of entries to write and to remove, as far as `maxWrites` goes. */
  readonly written: ReadonlySet<string>;
  readonly removed: readonly string[];
  readonly left: number;
  readonly unchanged: number;
}

/** `unknown`: names of entries of which nobody knows what is stored. */
function planImport(register: Register, index: Index, unknown: ReadonlySet<string>, maxWrites: number): Plan {
  const next: Record<string, string> = {};
  for (const [name, value] of registerEntries(register)) next[name] = sha256(value);
  const kept = keptNames(index, register);
  for (const name of kept) next[name] = unknown.has(name) ? UNKNOWN_HASH : (index[name] ?? UNKNOWN_HASH);
  const names = Object.keys(next);
  const changed = names.filter((name) => !kept.has(name) && (unknown.has(name) || index[name] !== next[name]));
  const vanished = [...new Set([...unknown, ...Object.keys(index)])].filter((name) => next[name] === undefined);
  const written = new Set(changed.slice(0, maxWrites));
  const removed = vanished.slice(0, Math.max(0, maxWrites - changed.length));
  const left = changed.length + vanished.length - written.size - removed.length;
  return { next, written, removed, left, unchanged: names.length - changed.length };
}

/** The index of what is stored when a plan that leaves some is carried out. */
function indexAfter({ next, written, removed }: Plan, index: Index, unknown: ReadonlySet<string>): Index {
  const entries = new Map(Object.entries(index));
  for (const name of unknown) entries.set(name, UNKNOWN_HASH);
  for (const name of written) entries.set(name, next[name] ?? UNKNOWN_HASH);
  for (const name of removed) entries.delete(name);
  return Object.fromEntries(entries);
}

/** Whether the import would be refused without force: asked for each country of a file before any is written. */
export async function findDrop(kv: KeyValueStore, register: Register): Promise<ImportRefusal | null> {
  const index = await kv.get<Index>(indexKey(register.country, register.source), "json");
  return findDropIn(index ?? {}, register);
}

function findDropIn(index: Index, register: Register): ImportRefusal | null {
  const { country, source } = register;
  const sound = new Set(register.psps.map((psp) => pspName(normaliseAuthorisationNumber(psp.authNumber))));
  const stored = Object.keys(index).filter(isPsp);
  const dropped = stored.filter((name) => !sound.has(name)).length;
  if (dropped <= stored.length * MAX_DROPPED_SHARE) return null;
  return { reason: "drops-too-many", country, source, stored: stored.length, dropped };
}

/** Entries of PSPs whose new records are malformed: the last good ones stay. */
const keptNames = (index: Index, register: Register): Set<string> =>
  new Set(
    register.refused
      .map(({ authNumber }) => pspName(normaliseAuthorisationNumber(authNumber)))
      .filter((name) => name in index),
  );

function* chosenEntries(register: Register, names: ReadonlySet<string>) {
  for (const entry of registerEntries(register)) if (names.has(entry[0])) yield entry;
}

const isPsp = (name: string): boolean => name.startsWith(PSP_NAMES);

/** Equals no hash: such an entry is written, or removed, by the next import that has an opinion on it. */
const UNKNOWN_HASH = "";

/** Half of SHA-256 in hex: an index of a thousand entries stays small, and nobody gains by a collision. */
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

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
