/**
 * How a command ends. 0: yes, or done. 1: no, or not done. 2: the command line is not understood. 3: it could not be
 * found out, because a store, a source or a file could not be read.
 */
export const EXIT = { yes: 0, no: 1, usage: 2, unknown: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a sentence for the operator and an exit code, without a stack trace. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.no) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function fail(message: string, exitCode: ExitCode = EXIT.no): never {
  throw new CommandError(message, exitCode);
}

/** Of a verification: whatever a stranger's file is, it ends in a sentence. */
export const failUnreadable =
  (file: string) =>
  (error: Error): never =>
    fail(`${file}: not proven: it is not as this service writes it (${error.message})`);

/** The first CommandError among `error` and its causes (StoreError wraps them); null if there is none. */
export function findCommandError(error: unknown): CommandError | null {
  if (error instanceof CommandError) return error;
  return error instanceof Error && error.cause !== undefined ? findCommandError(error.cause) : null;
}
