/** Ends a command with one sentence for the operator and a non-zero exit, without a stack. */
export class CommandError extends Error {}

export function fail(message: string): never {
  throw new CommandError(message);
}
