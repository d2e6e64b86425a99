/**
 * Reads the EBA's register of credit institutions as its search answers it, as a stream: a list of `{"_payload": {...}}`, alone,
 * in `{"data": [...]}`, or by keys in `{"data": {"key": {...}}}`. It has no checksum and no date. The result is an error unless
 * the whole document was read.
 */
import { createHash } from "../../platform/node-crypto.ts";
import { BankRegisters } from "./bank-registers.ts";
import { ebaInstant } from "./euclid-entity.ts";
import { JsonRecords, JsonRecordsError } from "./json-records.ts";

export interface BankFileOptions {
  /** ISO 8601: when the EBA was asked for it; null if unknown: then it is as old as its newest record. */
  readonly fetchedAt: string | null;
  readonly onProgress?: (bytes: number) => void;
}

export type BankFile =
  | {
      readonly ok: true;
      readonly registers: BankRegisters;
      readonly published: string;
      /** Set if `published` is the instant of a fetch. */
      readonly dated?: "fetch";
      /** SHA-256 of the document: lower-case hex. */
      readonly sha256: string;
    }
  | { readonly ok: false; readonly reason: string };

/** Whether a file begins as one of this form, of which `start` has some kilobytes. */
export const isBankFile = (start: string): boolean => /^\uFEFF?\s*[[{]/.test(start) && start.includes('"_payload"');

/** Reads a whole file. Throws only errors of the stream. */
export async function readBankFile(bytes: AsyncIterable<Uint8Array>, options: BankFileOptions): Promise<BankFile> {
  const registers = new BankRegisters();
  const records = new JsonRecords((record) => registers.add(record), "data");
  const hash = createHash("sha256");
  let length = 0;
  try {
    for await (const chunk of bytes) {
      length += chunk.length;
      hash.update(chunk);
      records.push(chunk);
      options.onProgress?.(length);
    }
    records.end();
  } catch (error) {
    if (error instanceof JsonRecordsError) return { ok: false, reason: `the JSON cannot be read: ${error.message}` };
    throw error;
  }
  if (registers.institutions === 0) return { ok: false, reason: explainNoBank(registers) };
  const sha256 = hash.digest("hex");
  if (options.fetchedAt !== null) return { ok: true, registers, published: options.fetchedAt, dated: "fetch", sha256 };
  const published = ebaInstant(registers.latestVersion);
  if (published === null) return { ok: false, reason: "no record says when it was changed" };
  return { ok: true, registers, published, sha256 };
}

function explainNoBank({ unknownTypes, records, unreadable }: BankRegisters): string {
  const types = Object.entries(unknownTypes).map(([type, count]) => `${count} of ${type}`);
  if (types.length > 0) return `it has no bank, only ${types.join(", ")}`;
  return `it has no bank: of ${records} records ${unreadable.length} cannot be read${unreadable[0] ? ` (${unreadable[0]})` : ""}`;
}
