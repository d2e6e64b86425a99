/** The command line as data, read from commander's own commands: what a shell may offer at each place. */
import type { Argument, Command, Option } from "commander";

/** What follows an option, or stands where a command takes an argument. */
export type Value =
  | { readonly kind: "choices"; readonly choices: readonly string[] }
  | { readonly kind: "file" | "text" };

export interface ListedOption {
  /** `--env`, and `-h` where there is a short one. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null for an option that takes no value. */
  readonly value: Value | null;
}

export interface ListedCommand {
  /** The words that lead to it, such as `fi add`; empty for the program. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly ListedOption[];
  /** Of each argument; the last stands for all further ones where `variadic`. */
  readonly argument: Value | null;
}

/** The program and all commands below it. */
export function listCommands(command: Command, path = ""): ListedCommand[] {
  const help = command.createHelp();
  // `help` is one of the visible commands, and has itself nothing to complete
  const commands = help.visibleCommands(command).filter((each) => command.commands.includes(each));
  return [
    {
      path,
      commands: commands.map((each) => ({ name: each.name(), description: each.description() })),
      options: help.visibleOptions(command).map(listOption),
      argument: readValue(command.registeredArguments[0]),
    },
    ...commands.flatMap((each) => listCommands(each, `${path} ${each.name()}`.trim())),
  ];
}

const listOption = (option: Option): ListedOption => ({
  names: [option.short, option.long].filter((name) => name != null),
  description: option.description,
  value: option.required || option.optional ? readValue(option) : null,
});

/** `<file>` and `<directory>` are completed by the shell itself; other texts are nobody's to guess. */
function readValue(place: Option | Argument | undefined): Value | null {
  if (!place) return null;
  if (place.argChoices) return { kind: "choices", choices: place.argChoices };
  const text = "flags" in place ? place.flags : place.name();
  return { kind: /file|director/i.test(text) ? "file" : "text" };
}
