import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { StoreError } from "../platform/stores.ts";
import { showControls, styleOf } from "./output.ts";

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
function findCommandError(error: unknown): CommandError | null {
  if (error instanceof CommandError) return error;
  return error instanceof Error && error.cause !== undefined ? findCommandError(error.cause) : null;
}

/** Messages of the bindings themselves: of D1, of KV, and of the runtime under them, as on a full disk. */
const STORE_FAILURE = /^(D1_ERROR|KV [A-Z]+ failed|internal error; reference)\b/;

/** Cloudflare's API refused, or gave no answer. */
export class ApiFailure extends Error {}

export function findKnownFailure(error: unknown): CommandError | null {
  const known = findCommandError(error);
  if (known) return known;
  if (error instanceof StoreError || (error instanceof Error && STORE_FAILURE.test(error.message)))
    return new CommandError(`a store did not answer: ${error.message}`, EXIT.unknown);
  if (error instanceof ApiFailure) return new CommandError(`Cloudflare did not do it: ${error.message}`, EXIT.unknown);
  // of the machine: a full disk, a folder that may not be written
  return error instanceof Error && "syscall" in error ? new CommandError(error.message, EXIT.unknown) : null;
}

export const complain = (message: string, kind: "error" | "warning" = "error"): void =>
  console.error(`${styleOf(process.stderr).bad(`${kind}:`)} ${message.split("\n").map(showControls).join("\n")}`);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "this user may not read it",
};

export const readInput = (path: string): Promise<Buffer> => readFile(path).catch(failUnread(path));

/** The whole path, because npm runs commands in the project's folder, wherever the user stands. */
export const failUnread =
  (path: string) =>
  ({ code = "", message }: NodeJS.ErrnoException): never =>
    fail(`${resolve(path)} cannot be read: ${REASONS[code] ?? message}`, EXIT.unknown);
