/** What an operator does about a source that is not as it should be: for `doctor` and for the console's page of sources. Pure. */
import type { Reason } from "./reasons.ts";
import { isFetched } from "./schedule.ts";

/** A whole command line of these words, such as `npm run admin -- refresh --remote` of `refresh`. */
export type CommandLine = (words: string) => string;

export const writeNotLoaded = (command: CommandLine): string =>
  `wait for the next refresh, or run it: ${command("refresh")}`;

/** The page of docs/runbook about a reason. */
export const RUNBOOK: Readonly<Record<Reason["code"], string>> = {
  no_trusted_list: "kv-stale",
  no_register: "kv-stale",
  trusted_list_stale: "kv-stale",
  register_stale: "kv-stale",
  refresh_overdue: "kv-stale",
  trusted_list_failing: "list-refused",
  register_failing: "register-dropped",
  register_incomplete: "register-dropped",
  records_damaged: "r2-away",
  schema_newer: "release-wrong",
};

export function cureOf({ code, source }: Pick<Reason, "code" | "source">, command: CommandLine): string {
  switch (code) {
    case "no_trusted_list":
      return `fetch them: ${command("refresh --only trust")}; or import files: ${command("trust import FILE...")}`;
    case "no_register":
      return `fetch the EBA's: ${command("refresh --only eba")}; or import a file: ${command("register import FILE")}`;
    case "trusted_list_stale":
      return source === "eIDAS"
        ? `fetch it: ${command("refresh --only trust")}. If it stays so, its publisher is late, or has closed it: answers that are based on it have a warning`
        : `import its successor: ${command("trust import FILE")}`;
    case "register_stale":
      return isFetched(source)
        ? `fetch it: ${command(`refresh --only ${source}`)}`
        : `ask the NCA for its current register and import it: ${command("register import FILE")}`;
    case "trusted_list_failing":
      return `try again: ${command("refresh --only trust")}. If it is refused, get it from its publisher and look: ${command("trust import FILE")}`;
    case "register_incomplete":
      return `ask the authority to correct its records, or give its own register: ${command("register import FILE")}`;
    case "refresh_overdue":
      return `look whether the cron trigger of wrangler.toml is on, and what its log says; meanwhile: ${command("refresh")}`;
    case "schema_newer":
      return "deploy the newer release: until then the reason says whether this one writes";
    case "records_damaged":
      return `look which: ${command("doctor")}`;
    case "register_failing":
      return `try again: ${command(`refresh --only ${source}`)}. If it is refused, get it from its publisher and look: ${command("register import FILE")}`;
  }
}
