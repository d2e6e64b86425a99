/** A mutant as it is printed, and whether it is known to change nothing. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Mutant } from "@stryker-mutator/api/core";
import { EQUIVALENT } from "./equivalent.ts";

export interface Description {
  readonly file: string;
  readonly place: string;
  readonly mutator: string;
  readonly change: string;
  /** The first line that it changes, as it is. */
  readonly line: string;
}

export function isEquivalent({ file, change, line }: Description): boolean {
  return EQUIVALENT.some(
    (each) => (each.file ?? file) === file && each.change === change && line.includes(each.inLine ?? ""),
  );
}

export function describe({
  fileName,
  location: { start, end },
  mutatorName,
  replacement,
}: Pick<Mutant, "fileName" | "location" | "mutatorName"> & { readonly replacement?: string }): Description {
  const file = relative("", fileName);
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line - 1, end.line);
  const line = lines[0] ?? "";
  lines[lines.length - 1] = (lines.at(-1) ?? "").slice(0, end.column - 1);
  lines[0] = (lines[0] ?? "").slice(start.column - 1);
  const brief = (text: string) => text.replace(/\s+/g, " ").slice(0, 120);
  return {
    file,
    place: `${file}:${start.line}:${start.column}`,
    mutator: mutatorName,
    line,
    change: `${brief(lines.join("\n"))} -> ${brief(replacement ?? "")}`,
  };
}
