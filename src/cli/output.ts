/** What a command prints: a text for people on a terminal, JSON into a pipe or a file. */
import { styleText } from "node:util";
import type { Command } from "commander";
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

/** Prints `value` as JSON, or what `describe` makes of it for people. */
export function print(value: unknown, options: OutputOptions, describe: (style: Style) => string): void {
  const json = options.json ?? !process.stdout.isTTY;
  const shown = json
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
