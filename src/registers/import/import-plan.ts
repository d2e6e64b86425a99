/** What an import of a register has to write and to remove, from what is stored and what the register says. Pure. */
import { createHash } from "node:crypto";
import { registerEntries } from "../entries.ts";
import { pspName } from "../keys.ts";
import type { Register } from "../psp-record.ts";

/** Name of each entry that is stored -> hash of its value. */
export type Index = Readonly<Record<string, string>>;

/** Equals no hash: such an entry is written, or removed, by the next import that has an opinion on it. */
const UNKNOWN_HASH = "";

export interface ImportPlan {
  /** The index when all is done. */
  readonly next: Index;
  /** Names of entries to write and to remove, as far as `maxWrites` goes. */
  readonly written: ReadonlySet<string>;
  readonly removed: readonly string[];
  readonly left: number;
  readonly unchanged: number;
}

/** `unknown`: names of entries of which nobody knows what is stored. */
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

/** The index of what is stored when a plan that leaves some is carried out. */
export function indexAfter({ next, written, removed }: ImportPlan, index: Index, unknown: ReadonlySet<string>): Index {
  const entries = new Map(Object.entries(index));
  for (const name of unknown) entries.set(name, UNKNOWN_HASH);
  for (const name of written) entries.set(name, next[name] ?? UNKNOWN_HASH);
  for (const name of removed) entries.delete(name);
  return Object.fromEntries(entries);
}

/** Entries of PSPs whose new records are malformed: the last good ones stay. */
const keptNames = (index: Index, register: Register): Set<string> =>
  new Set(register.refused.map(({ authNumber }) => pspName(authNumber)).filter((name) => name in index));

/** Half of SHA-256 in hex: an index of a thousand entries stays small, and nobody gains by a collision. */
export const shortSha256 = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
