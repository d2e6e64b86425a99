/** Plans an import: which entries to write and to remove, from the stored index and the new register. Pure. */

import { registeredNumbers } from "../../eidas/authorisation-number.ts";
import type { ImportChange } from "../../platform/import-change.ts";
import { createHash } from "../../platform/node-crypto.ts";
import { isPsp, pspName } from "../keys.ts";
import type { Register, RegisterEntry } from "../register.ts";

/** Name of each stored entry -> hash of its value, marked if it has nothing but copies that links made. */
export type Index = Readonly<Record<string, string>>;

/** Differs from every hash, so the next import that has or lacks such an entry writes or removes it. */
export const UNKNOWN_HASH = "";

const COPY_MARK = "copy ";

/** Whether an entry of the index is a PSP of the register. One of which nothing is known may be. */
export const isPspEntry = (name: string, hash: string): boolean => isPsp(name) && !hash.startsWith(COPY_MARK);

export interface ImportPlan {
  readonly next: Index;
  /** Names of entries to write and to remove, at most `maxWrites` together. */
  readonly written: ReadonlySet<string>;
  readonly removed: readonly string[];
  readonly left: number;
  readonly unchanged: number;
}

/** `entries`: the register's, and those that stay. `unknown`: names of entries whose stored value is not known. */
export function planImport(
  entries: Iterable<RegisterEntry>,
  index: Index,
  unknown: ReadonlySet<string>,
  maxWrites: number,
): ImportPlan {
  const next: Record<string, string> = {};
  for (const [name, value, copy] of entries) next[name] = `${copy ? COPY_MARK : ""}${shortSha256(value)}`;
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

/** SHA-256 over the hashes of all entries, its first half. */
export const hashIndex = (index: Index): string => shortSha256(JSON.stringify(Object.entries(index).sort()));

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
  /** Of these, the numbers of those that stay as of an earlier snapshot, and of those that are not in the register. */
  readonly kept: readonly string[];
  readonly leftOut: readonly string[];
  /** The numbers of PSPs that the file lacks, and that stay until a second fetch agrees. */
  readonly awaited: readonly string[];
  /** The numbers of PSPs with a category that was withdrawn, it cannot be read when. */
  readonly undated: readonly string[];
  /** The numbers, in normal form, under which the register has several entries: none of them is found (lookup.ts). */
  readonly ambiguous: readonly string[];
}

/** `entries`: those that stay as of an earlier snapshot, by their names; `awaited`: of these the numbers that the file lacks. */
export function countImport(
  register: Register,
  plan: ImportPlan,
  { entries, awaited }: { readonly entries: ReadonlyMap<string, unknown>; readonly awaited: readonly string[] },
): ImportCounts {
  const { country, source } = register;
  const { written, removed, unchanged, left } = plan;
  // one may have several malformed records
  const refused = new Map(register.refused.map((one) => [pspName(one.authNumber), one.authNumber]));
  const numbers = (stays: boolean) =>
    [...refused].flatMap(([name, authNumber]) => (entries.has(name) === stays ? [authNumber] : [])).sort();
  return {
    ...{ country, source, psps: countPsps(plan.next) },
    ...{ written: written.size, removed: removed.length, unchanged, left },
    ...{ refused: refused.size, kept: numbers(true), leftOut: numbers(false), awaited },
    ...{ undated: [...new Set(register.undated)].sort(), ambiguous: findAmbiguous(register) },
  };
}

const countPsps = (index: Index): number =>
  Object.entries(index).filter(([name, hash]) => isPspEntry(name, hash)).length;

/** By one of its spellings, whichever of them an entry has. */
function findAmbiguous({ psps }: Register): string[] {
  const numberOf = (authNumber: string) => registeredNumbers(authNumber).toSorted()[0] ?? authNumber;
  const entries = Map.groupBy(psps, ({ authNumber }) => numberOf(authNumber));
  return [...entries].filter(([, { length }]) => length > 1).map(([number]) => number);
}

/** What a plan changes, in PSPs. `index` and `unknown`: of what is stored before. */
export function countChange(
  { next, written, removed }: ImportPlan,
  index: Index,
  unknown: ReadonlySet<string>,
): ImportChange {
  const isPspIn = (hashes: Index) => (name: string) => hashes[name] !== undefined && isPspEntry(name, hashes[name]);
  const isNow = isPspIn(next);
  const wasIndexed = isPspIn(index);
  const was = (name: string) => wasIndexed(name) || (index[name] === undefined && unknown.has(name) && isPsp(name));
  const psps = [...written].filter(isNow);
  const changed = psps.filter(was).length;
  const gone = [...removed, ...[...written].filter((name) => !isNow(name))].filter(was).length;
  return { added: psps.length - changed, changed, removed: gone };
}
