/** Two coverages side by side. */
import { relative, sep } from "node:path";

interface Count {
  readonly total: number;
  readonly covered: number;
}

/** As istanbul's json-summary writes it: by file, and all together. */
export type Totals = Readonly<Record<string, { readonly lines: Count; readonly branches: Count }>>;

const MEASURES = ["lines", "branches"] as const;
type Measure = (typeof MEASURES)[number];

/** Points of a hundred by which the two may differ. */
const MOST_APART = 1;

const TOTAL = "total";
const percent = ({ covered, total }: Count): number => (total === 0 ? 100 : (100 * covered) / total);

/** One sentence for each measure that differs by too much; empty if none does. */
export function compareTotals(whole: Totals, bare: Totals): string[] {
  return MEASURES.flatMap((measure) => {
    const [more, less] = [whole, bare].map((totals) => percent(sum(totals, measure, null)));
    const apart = Math.abs((more ?? 0) - (less ?? 0));
    return apart <= MOST_APART
      ? []
      : [`${measure}: ${apart.toFixed(2)} points apart; at most ${MOST_APART} is allowed`];
  });
}

/** A table by folder of src/, all together at the end. */
export function describeTotals(whole: Totals, bare: Totals): string {
  const folders = [
    ...new Set(
      Object.keys(whole)
        .filter((file) => file !== TOTAL)
        .map(folderOf),
    ),
  ].sort();
  const row = (name: string, folder: string | null) =>
    [
      name.padEnd(16),
      ...MEASURES.flatMap((measure) =>
        [whole, bare].map((totals) =>
          percent(sum(totals, measure, folder))
            .toFixed(2)
            .padStart(9),
        ),
      ),
    ].join(" ");
  return [
    `${"".padEnd(16)} ${"lines, %".padStart(19)} ${"branches, %".padStart(19)}`,
    `${"".padEnd(16)} ${["with", "without", "with", "without"].map((title) => title.padStart(9)).join(" ")}`,
    ...folders.map((folder) => row(folder, folder)),
    row("all", null),
  ].join("\n");
}

/** The first folder below src/; the files at its top together. */
function folderOf(file: string): string {
  const [, folder = "", ...rest] = relative("", file).split(sep);
  return rest.length > 0 ? folder : "(top)";
}

function sum(totals: Totals, measure: Measure, folder: string | null): Count {
  const counts = Object.entries(totals)
    .filter(([file]) => file !== TOTAL && (folder === null || folderOf(file) === folder))
    .map(([, counted]) => counted[measure]);
  return {
    total: counts.reduce((all, { total }) => all + total, 0),
    covered: counts.reduce((all, { covered }) => all + covered, 0),
  };
}
