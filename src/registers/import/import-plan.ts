/** Plans an import: which entries to write and to remove, from the stored index and the new register. Pure. */
import { createHash } from "../../node-crypto.ts";
import { registerEntries } from "../entries.ts";
import { pspName } from "../keys.ts";
import type { Register } from "../register.ts";

/** Name of each stored entry -> hash of its value. */
export type Index = Readonly<Record<string, string>>;

/** Differs from every hash, so the next import that has or lacks such an entry writes or removes it. */
const UNKNOWN_HASH = "";

export interface ImportPlan {
  /** The index after the complete import. */
  readonly next: Index;
  /** Names of entries to write and to remove, at most `maxWrites` together. */
  readonly written: ReadonlySet<string>;
  readonly removed: readonly string[];
  readonly left: number;
  readonly unchanged: number;
}

/** `unknown`: names of entries whose stored value is not known. */
export function planImport(
  register: Register,
  index: Index,
  unknown: ReadonlySet<string>,
  maxWrites: number,
): ImportPlan {
  const next: Record<string, string> = {};
  for (const [name, value] of registerEntries(register)) next[name] = shortSha256(value);
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

/** The index of the stored entries after a plan that leaves some for the next run. */
export function indexAfter({ next, written, removed }: ImportPlan, index: Index, unknown: ReadonlySet<string>): Index {
  const entries = new Map(Object.entries(index));
  for (const name of unknown) entries.set(name, UNKNOWN_HASH);
  for (const name of written) entries.set(name, next[name] ?? UNKNOWN_HASH);
  for (const name of removed) entries.delete(name);
  return Object.fromEntries(entries);
}

/** Entries of PSPs whose new records are malformed: their last valid ones are kept. */
const keptNames = (index: Index, register: Register): Set<string> =>
  new Set(register.refused.map(({ authNumber }) => pspName(authNumber)).filter((name) => name in index));

/** The first half of SHA-256, in hex: it keeps the index small, and a collision is of no use to an attacker. */
export const shortSha256 = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
