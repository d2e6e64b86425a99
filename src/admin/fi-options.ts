/** What the `fi` commands share: their options, and what they say of an institution that does not exist. */
import type { Command } from "commander";
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

export const REFERENCE = ["--reference <reference>", "its fi_reference_id"] as const;
export const CLIENT = ["--client <client id>", "as `fi list` shows it"] as const;

export const noSuchInstitution = (reference: string): string => `${reference}: no such institution`;
