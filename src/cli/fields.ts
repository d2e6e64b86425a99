/** A result of any shape as lines for people: a name and its value, what is inside indented below it. */
import { showInvisible } from "../platform/quotation.ts";
import type { Style } from "./output.ts";

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
  (Array.isArray(value) && value.every((each) => typeof each === "number" || (value.length === 1 && isSimple(each))));

function describeSimple(value: Simple, style: Style): string {
  if (typeof value === "boolean") return value ? style.good("✓ yes") : style.bad("✗ no");
  const text = value === null ? "" : Array.isArray(value) ? value.join(", ") : String(value);
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
