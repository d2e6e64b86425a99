/** What the `fi` commands share: their options, and what they say of an institution that does not exist. */
import type { Command } from "commander";
import { EXIT, fail } from "./fail.ts";
import type { OutputOptions } from "./output.ts";
import type { TargetOptions } from "./target.ts";

export type Common = TargetOptions & OutputOptions;
export interface OfInstitution extends Common {
  reference: string;
}
export interface OfCredential extends Common {
  client: string;
}

/** Makes one of the `fi` commands, with the options that all have. */
export type MakeCommand = (name: string, description: string) => Command;

export const REFERENCE = ["--fi, --reference <reference>", "its fi_reference_id"] as const;
/** It stands in tables and headings; \p{C} has line breaks, and what turns the text around it. */
const readName = (text: string): string =>
  text.trim() !== "" && text.length <= 200 && !/\p{C}/u.test(text)
    ? text
    : fail("--name: 1 to 200 characters without line breaks, not only blanks", EXIT.usage);
export const NAME = ["--name <name>", "the institution's name", readName] as const;
export const CLIENT = ["--client <client id>", "as `fi list` shows it"] as const;

export const noSuchInstitution = (reference: string): string => `${reference}: no such institution`;

/** Whether an answer leaves only when its record is kept (http/middleware/ledger.ts), or before. */
export type LedgerMode = "required" | "default";
const readLedgerMode = (text: string): LedgerMode =>
  text === "required" || text === "default" ? text : fail(`--ledger: ${text} is not required or default`, EXIT.usage);
export const LEDGER = [
  "--ledger <mode>",
  "required: an answer leaves only when its record is kept, else it is 503; default: its record follows it",
  readLedgerMode,
] as const;
