/** What a command prints: a text for people on a terminal, JSON into a pipe or a file. */
import { stripVTControlCharacters, styleText } from "node:util";
import type { Command } from "commander";
import { clock } from "../platform/clock.ts";
import { showInvisible, showInvisibleInJson } from "../platform/quotation.ts";

export interface OutputOptions {
  /** Undefined: as the output is a terminal or not. */
  readonly json?: boolean;
}

/** Marks and colours of a text for people; without colour they are only marks. */
export interface Style {
  readonly good: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly strong: (text: string) => string;
}

const asIs = (text: string): string => text;
export const PLAIN: Style = { good: asIs, doubtful: asIs, bad: asIs, faint: asIs, strong: asIs };

/** Colours on a terminal only, and not where NO_COLOR is set (no-color.org): styleText looks at both. */
export function styleOf(stream: NodeJS.WriteStream): Style {
  const colour = (format: "green" | "yellow" | "red" | "dim" | "bold") => (text: string) =>
    styleText(format, text, { stream });
  return {
    good: colour("green"),
    doubtful: colour("yellow"),
    bad: colour("red"),
    faint: colour("dim"),
    strong: colour("bold"),
  };
}

export const addOutputOptions = (command: Command): Command =>
  command
    .option("--json", "print JSON, as into a pipe or a file")
    .option("--no-json", "print the text for people, also into a pipe or a file");

export const asksForJson = ({ json }: OutputOptions): boolean => json ?? !process.stdout.isTTY;

/** Prints `value` as JSON, or what `describe` makes of it for people. Once a command: its output is one document. */
export function print(value: unknown, options: OutputOptions, describe: (style: Style) => string): void {
  const shown = asksForJson(options)
    ? showInvisibleInJson(JSON.stringify(value, null, 2))
    : describe(styleOf(process.stdout)).split("\n").map(showControls).join("\n");
  console.log(shown);
}

const ESC = "\u001b";
/** What {@link styleOf} writes. */
const STYLES = new RegExp(`(${ESC}\\[(?:1|2|22|31|32|33|39)m)`);

/** One line, with its styles: other control characters, of a name in a register, would be orders to the terminal. */
export const showControls = (line: string): string =>
  line
    .split(STYLES)
    .map((part, i) => (i % 2 === 1 ? part : showInvisible(part)))
    .join("");

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

const INDENT = "  ";

/** `value`: what the command prints as JSON. Empty lists and texts, and null, are shown as a dash. */
export function describeFields(value: object, style: Style, indent = ""): string {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const width = Math.max(0, ...entries.filter(([, field]) => isSimple(field)).map(([name]) => name.length));
  return entries
    .map(([name, field]) => {
      const head = indent + style.faint(isSimple(field) ? name.padEnd(width) : name);
      if (isSimple(field)) return `${head}  ${describeSimple(field, style)}`;
      return `${head}\n${describeInner(field, style, indent + INDENT)}`;
    })
    .join("\n");
}

/** On one line. */
type Simple = string | number | boolean | null | readonly (string | number)[];

const isSimple = (value: unknown): value is Simple =>
  typeof value !== "object" ||
  value === null ||
  Object.keys(value).length === 0 ||
  (Array.isArray(value) && value.every((each) => typeof each === "number" || (value.length === 1 && isSimple(each))));

function describeSimple(value: Simple, style: Style): string {
  if (typeof value === "boolean") return value ? style.good("✓ yes") : style.bad("✗ no");
  const text = value === null ? "" : typeof value === "object" ? Object.values(value).join(", ") : String(value);
  return text === "" ? style.faint("–") : showInvisible(text);
}

function describeInner(value: object, style: Style, indent: string): string {
  if (!Array.isArray(value)) return describeFields(value, style, indent);
  return value
    .map((each: unknown) =>
      // the mark takes the place of the first line's indent
      isSimple(each)
        ? `${indent}- ${describeSimple(each, style)}`
        : `${indent}- ${describeFields(each as object, style, indent + INDENT).slice(indent.length + INDENT.length)}`,
    )
    .join("\n");
}

const WIDTH = 30;
/** Shortest time between two updates of the bar, and between two lines. */
const INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5_000;

export interface ProgressBar {
  /** `of`: null if the total is not known. */
  readonly show: (done: number, total: number | null) => void;
  readonly clear: () => void;
}

export function makeProgressBar(label: string, output: NodeJS.WriteStream = process.stderr): ProgressBar {
  // short work is over before the first line
  let shownAt = output.isTTY ? Number.NEGATIVE_INFINITY : clock.now();
  const show = (done: number, total: number | null) => {
    if (clock.now() - shownAt < (output.isTTY ? INTERVAL_MS : LINE_INTERVAL_MS)) return;
    shownAt = clock.now();
    const drawn = `${label} ${drawProgress(done, total)}`;
    output.write(output.isTTY ? `\r\x1b[K${drawn}` : `${drawn}\n`);
  };
  const clear = () => {
    if (output.isTTY && shownAt > Number.NEGATIVE_INFINITY) output.write("\r\x1b[K");
  };
  return { show, clear };
}

/** `[#####     ]  50%`, or a count if the total is not known. */
export function drawProgress(done: number, total: number | null): string {
  if (total === null || total <= 0) return `${done}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * WIDTH);
  return `[${"#".repeat(filled)}${" ".repeat(WIDTH - filled)}] ${String(Math.floor(share * 100)).padStart(3)}%`;
}
