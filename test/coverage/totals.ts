/** Two coverages side by side, each of several runs together. */
import { relative, sep } from "node:path";

interface Place {
  readonly start: { readonly line: number; readonly column?: number | null };
}

/** As istanbul's json reporter writes it, by file. Counters have the same keys as their places. */
export type Files = Readonly<
  Record<
    string,
    {
      readonly statementMap: Readonly<Record<string, Place>>;
      readonly s: Readonly<Record<string, number>>;
      readonly branchMap: Readonly<Record<string, { readonly loc: Place }>>;
      readonly b: Readonly<Record<string, readonly number[]>>;
    }
  >
>;

const MEASURES = ["lines", "branches"] as const;
type Measure = (typeof MEASURES)[number];

/** Whether it was run, by folder and place: the same place in two runs is one. */
type Runs = Map<string, boolean>;

/** Points of a hundred by which the two may differ. */
const MOST_APART = 1;

/** One sentence for each measure that differs by too much; empty if none does. */
export function compareTotals(whole: readonly Files[], bare: readonly Files[]): string[] {
  return MEASURES.flatMap((measure) => {
    const [more = 0, less = 0] = [whole, bare].map((runs) => percent(gather(runs, measure), null));
    const apart = Math.abs(more - less);
    return apart <= MOST_APART
      ? []
      : [`${measure}: ${apart.toFixed(2)} points apart; at most ${MOST_APART} is allowed`];
  });
}

/** A table by folder of src/, all together at the end. */
export function describeTotals(whole: readonly Files[], bare: readonly Files[]): string {
  const columns = MEASURES.flatMap((measure) => [whole, bare].map((runs) => gather(runs, measure)));
  const folders = [...new Set(columns.flatMap((runs) => [...runs.keys()].map(folderOf)))].sort();
  const row = (name: string, folder: string | null) =>
    [name.padEnd(16), ...columns.map((runs) => percent(runs, folder).toFixed(2).padStart(9))].join(" ");
  return [
    `${"".padEnd(16)} ${"lines, %".padStart(19)} ${"branches, %".padStart(19)}`,
    `${"".padEnd(16)} ${["with", "without", "with", "without"].map((title) => title.padStart(9)).join(" ")}`,
    ...folders.map((folder) => row(folder, folder)),
    row("all", null),
  ].join("\n");
}

/** Of all statements the lines on which they begin; of all branches their ways. */
function gather(files: readonly Files[], measure: Measure): Runs {
  const runs: Runs = new Map();
  const note = (place: string, count: number) => runs.set(place, count > 0 || runs.get(place) === true);
  for (const [file, { statementMap, s, branchMap, b }] of files.flatMap((each) => Object.entries(each))) {
    const name = relative("src", file);
    if (measure === "lines")
      for (const [key, { start }] of Object.entries(statementMap)) note(`${name}:${start.line}`, s[key] ?? 0);
    else
      for (const [key, { loc }] of Object.entries(branchMap))
        for (const [way, count] of (b[key] ?? []).entries())
          note(`${name}:${loc.start.line}:${loc.start.column}:${way}`, count);
  }
  return runs;
}

function percent(runs: Runs, folder: string | null): number {
  const own = [...runs].filter(([place]) => folder === null || folderOf(place) === folder);
  return own.length === 0 ? 100 : (100 * own.filter(([, ran]) => ran).length) / own.length;
}

/** The first folder below src/; the files at its top together. */
function folderOf(place: string): string {
  const [folder = "", ...rest] = place.split(sep);
  return rest.length > 0 ? folder : "(top)";
}
