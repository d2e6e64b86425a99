/** Failures that a sentence explains better than a stack trace. Null of any other error: it is a bug. */
import { StoreError } from "../platform/stores.ts";
import { CommandError, EXIT, findCommandError } from "./fail.ts";
import { showControls, styleOf } from "./output.ts";

/** Messages of the bindings themselves: of D1, of KV, and of the runtime under them, as on a full disk. */
const STORE_FAILURE = /^(D1_ERROR|KV [A-Z]+ failed|internal error; reference)\b/;

export function findKnownFailure(error: unknown): CommandError | null {
  const known = findCommandError(error);
  if (known) return known;
  if (error instanceof StoreError || (error instanceof Error && STORE_FAILURE.test(error.message)))
    return new CommandError(`a store did not answer: ${error.message}`, EXIT.unknown);
  // of the machine: a full disk, a folder that may not be written
  return error instanceof Error && "syscall" in error ? new CommandError(error.message, EXIT.unknown) : null;
}

export const complain = (message: string): void =>
  console.error(`${styleOf(process.stderr).bad("error:")} ${message.split("\n").map(showControls).join("\n")}`);
