/** What an import says of itself: what it wrote, and which PSPs of the register people should look at. Pure. */
import { registeredNumbers } from "../../eidas/authorisation-number.ts";
import type { ImportChange } from "../../platform/import-change.ts";
import { pspName } from "../keys.ts";
import type { Register } from "../register.ts";
import { isPsp } from "./dropped-psps.ts";
import type { ImportPlan, Index } from "./import-plan.ts";

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
  /** The numbers of PSPs with a category that was withdrawn, it cannot be read when. */
  readonly undated: readonly string[];
  /** The numbers, in normal form, under which the register has several entries: none of them is found (lookup.ts). */
  readonly ambiguous: readonly string[];
}

/** `kept`: the entries that stay as of an earlier snapshot, by their names. */
export function countImport(register: Register, plan: ImportPlan, kept: ReadonlyMap<string, string>): ImportCounts {
  const { country, source } = register;
  const { written, removed, unchanged, left } = plan;
  // one may have several malformed records
  const refused = new Map(register.refused.map((one) => [pspName(one.authNumber), one.authNumber]));
  const numbers = (stays: boolean) =>
    [...refused].flatMap(([name, authNumber]) => (kept.has(name) === stays ? [authNumber] : [])).sort();
  return {
    ...{ country, source, psps: Object.keys(plan.next).filter(isPsp).length },
    ...{ written: written.size, removed: removed.length, unchanged, left },
    ...{ refused: refused.size, kept: numbers(true), leftOut: numbers(false) },
    ...{ undated: [...new Set(register.undated)].sort(), ambiguous: findAmbiguous(register) },
  };
}

/** By one of its spellings, whichever of them an entry has. */
function findAmbiguous({ psps }: Register): string[] {
  const numberOf = (authNumber: string) => registeredNumbers(authNumber).toSorted()[0] ?? authNumber;
  const entries = Map.groupBy(psps, ({ authNumber }) => numberOf(authNumber));
  return [...entries].filter(([, { length }]) => length > 1).map(([number]) => number);
}

/** What a plan changes, in PSPs. `index` and `unknown`: of what is stored before. */
export function countChange(
  { written, removed }: ImportPlan,
  index: Index,
  unknown: ReadonlySet<string>,
): ImportChange {
  const psps = [...written].filter(isPsp);
  const added = psps.filter((name) => index[name] === undefined && !unknown.has(name)).length;
  return { added, changed: psps.length - added, removed: removed.filter(isPsp).length };
}
