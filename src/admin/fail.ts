/** Ends a command with a sentence for the operator and a non-zero exit code, without a stack trace. */
export class CommandError extends Error {}

export function fail(message: string): never {
  throw new CommandError(message);
}

/** The first CommandError among `error` and its causes (StoreError wraps them); null if there is none: a bug. */
export function findCommandError(error: unknown): CommandError | null {
  if (error instanceof CommandError) return error;
  return error instanceof Error && error.cause !== undefined ? findCommandError(error.cause) : null;
}
