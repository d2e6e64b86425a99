/** Aligned columns of text, for people. */
import { stripVTControlCharacters } from "node:util";
import { type Style, showControls } from "./output.ts";

const GAP = "  ";
/** Characters, as long as they are as wide as one: names in other scripts may be out of line. */
const widthOf = (text: string): number => [...stripVTControlCharacters(text)].length;

/** The rows below their head, each column as wide as its widest cell. Numbers are aligned to the right. */
export function drawTable(head: readonly string[], given: readonly (readonly string[])[], style: Style): string {
  // a line end in a name would begin a row of its own
  const rows = given.map((cells) => cells.map(showControls));
  const widths = head.map((title, i) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[i] ?? ""))));
  const numeric = head.map((_, i) => rows.length > 0 && rows.every((row) => /^[\d,]*$/.test(row[i] ?? "")));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const blanks = " ".repeat((widths[i] ?? 0) - widthOf(cell));
        return numeric[i] ? blanks + cell : cell + blanks;
      })
      .join(GAP)
      .trimEnd();
  return [style.faint(line(head)), ...rows.map(line)].join("\n");
}

/** `12345` as `12,345`. */
export const grouped = (count: number): string => count.toLocaleString("en");
