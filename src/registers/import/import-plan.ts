/** Plans an import: which entries to write and to remove, from the stored index and the new register. Pure. */
import { createHash } from "../../platform/node-crypto.ts";

/** Name of each stored entry -> hash of its value. */
export type Index = Readonly<Record<string, string>>;

/** Differs from every hash, so the next import that has or lacks such an entry writes or removes it. */
export const UNKNOWN_HASH = "";

export interface ImportPlan {
  /** The index after the complete import. */
  readonly next: Index;
  /** Names of entries to write and to remove, at most `maxWrites` together. */
  readonly written: ReadonlySet<string>;
  readonly removed: readonly string[];
  readonly left: number;
  readonly unchanged: number;
}

/** `entries`: the register's, and those that stay. `unknown`: names of entries whose stored value is not known. */
export function planImport(
  entries: Iterable<readonly [name: string, value: string]>,
  index: Index,
  unknown: ReadonlySet<string>,
  maxWrites: number,
): ImportPlan {
  const next: Record<string, string> = {};
  for (const [name, value] of entries) next[name] = shortSha256(value);
  const names = Object.keys(next);
  const changed = names.filter((name) => unknown.has(name) || index[name] !== next[name]);
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

/** The first half of SHA-256, in hex: it keeps the index small, and a collision is of no use to an attacker. */
export const shortSha256 = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
