/** Ends a command with one sentence for the operator and a non-zero exit, without a stack. */
export class CommandError extends Error {}

export function fail(message: string): never {
  throw new CommandError(message);
}

/** What to say of `error`: itself, or what it was caused by (a store's failure is wrapped on its way). Null for a fault. */
export function findCommandError(error: unknown): CommandError | null {
  if (error instanceof CommandError) return error;
  return error instanceof Error && error.cause !== undefined ? findCommandError(error.cause) : null;
}
