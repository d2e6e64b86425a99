/** What a command line lacks is said at once, and after what it misspells: commander itself names one option, and before a typo. */
import type { Argument, Command } from "commander";

/** Of this command and all below it. */
export function nameAllMissing(command: Command): void {
  for (const sub of command.commands) nameAllMissing(sub);
  const required = command.options.filter(({ mandatory }) => mandatory);
  // else commander looks at them before it looks for unknown ones, of which it says what may be meant
  for (const option of required) option.mandatory = false;
  const complain = () => {
    const lacks = ({ required: isRequired }: Argument, i: number) => isRequired && command.args[i] === undefined;
    const missing = [
      ...command.registeredArguments.filter(lacks).map((argument) => `<${argument.name()}>`),
      ...required
        .filter((option) => command.getOptionValue(option.attributeName()) === undefined)
        .map(({ flags }) => flags),
    ];
    if (missing.length > 0) command.error(`error: ${missing.join("; ")} ${missing.length > 1 ? "are" : "is"} missing`);
  };
  // commander calls it where an argument is missing, before any hook
  Object.assign(command, { missingArgument: complain });
  command.hook("preAction", complain);
}
