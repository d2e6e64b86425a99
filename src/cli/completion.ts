/** `completion`: prints a script with which a shell completes this command line. */
import { Argument, type Command } from "commander";
import type { Shell } from "./completion-scripts.ts";
import { ROOT } from "./configuration.ts";

/** `program`: with all its commands when the action runs. */
export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .description("print a script that defines the command psp-gate, as this one, and completes it in your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"] satisfies Shell[]))
    .addHelpText(
      "after",
      `
Examples:
  source <(npm run --silent admin -- completion bash)      # in ~/.bashrc
  source <(npm run --silent admin -- completion zsh)       # in ~/.zshrc, after compinit
  npm run --silent admin -- completion fish | source       # in config.fish`,
    )
    .action(async (shell: Shell) => {
      const { listCommands } = await import("./command-tree.ts");
      const { completionScript } = await import("./completion-scripts.ts");
      process.stdout.write(completionScript(shell, listCommands(program), ROOT));
    });
}
