/**
 * Reads the EBA's golden copy, as JSON or ZIP, as a stream: only one raw record at a time is in memory, and the parsed
 * registers. The result is an error unless the whole file was read and its checksums match.
 */
import type { Hash } from "node:crypto";
import { createHash } from "../../platform/node-crypto.ts";
import { EbaRegisters } from "./eba-registers.ts";
import { EbaZip, EbaZipError } from "./eba-zip.ts";
import { JsonRecords, JsonRecordsError } from "./json-records.ts";

export interface EbaFileOptions {
  /** SHA-256 of the file in hex, from the EBA's metadata; null if unknown. A checksum in the ZIP is always checked. */
  readonly sha256: string | null;
  /** ISO 8601, from the EBA's metadata; null to use the latest record version in the file. */
  readonly published: string | null;
  /** Called with the number of bytes read so far. */
  readonly onProgress?: (bytes: number) => void;
}

export type EbaFile =
  | {
      readonly ok: true;
      readonly registers: EbaRegisters;
      readonly published: string;
      /** SHA-256 of the file as received, and of the JSON document in it: lower-case hex. */
      readonly sha256: string;
      readonly documentSha256: string;
    }
  | { readonly ok: false; readonly reason: string };

const ZIP_SIGNATURE = [0x50, 0x4b, 0x03, 0x04];

/** Reads a whole file. Throws only errors of the stream. */
export async function readEbaFile(bytes: AsyncIterable<Uint8Array>, options: EbaFileOptions): Promise<EbaFile> {
  try {
    return await read(bytes, options);
  } catch (error) {
    if (error instanceof EbaZipError) return { ok: false, reason: `the ZIP cannot be unpacked: ${error.message}` };
    if (error instanceof JsonRecordsError) return { ok: false, reason: `the JSON cannot be read: ${error.message}` };
    throw error;
  }
}

async function read(bytes: AsyncIterable<Uint8Array>, options: EbaFileOptions): Promise<EbaFile> {
  const registers = new EbaRegisters();
  const records = new JsonRecords((record) => registers.add(record));
  const documentHash = createHash("sha256");
  const readChunk = (chunk: Uint8Array) => {
    documentHash.update(chunk);
    records.push(chunk);
  };
  const outer = await unpack(bytes, readChunk, options.onProgress);
  const sha256 = outer.hash.digest("hex");
  const documentSha256 = documentHash.digest("hex");
  if (options.sha256 !== null && options.sha256.toLowerCase() !== sha256) {
    return { ok: false, reason: `its SHA-256 is ${sha256}, and should be ${options.sha256.toLowerCase()}` };
  }
  const expected = outer.zip?.documentSha256 ?? null;
  if (expected !== null && expected !== documentSha256) {
    return { ok: false, reason: `the SHA-256 of its JSON is ${documentSha256}, and should be ${expected}` };
  }
  records.end();
  if (registers.institutions === 0) return { ok: false, reason: "it has no institution" };
  const published = options.published ?? ebaInstant(registers.latestVersion);
  if (published === null) return { ok: false, reason: "no record says when it was changed" };
  return { ok: true, registers, published, sha256, documentSha256 };
}

/** Hashes the file and passes on its JSON document, unpacked if the file is a ZIP. */
async function unpack(
  bytes: AsyncIterable<Uint8Array>,
  onDocument: (chunk: Uint8Array) => void,
  onProgress: EbaFileOptions["onProgress"],
): Promise<{ hash: Hash; zip: EbaZip | null }> {
  const hash = createHash("sha256");
  let zip: EbaZip | null = null;
  let length = 0;
  for await (const chunk of bytes) {
    if (length === 0 && ZIP_SIGNATURE.every((byte, i) => chunk[i] === byte)) zip = new EbaZip(onDocument);
    length += chunk.length;
    hash.update(chunk);
    if (zip) zip.push(chunk, false);
    else onDocument(chunk);
    onProgress?.(length);
  }
  zip?.push(new Uint8Array(), true);
  return { hash, zip };
}

/** As the EBA writes it: `20260814223344848` -> `2026-08-14T22:33:44.848Z`; null for anything else. */
export function ebaInstant(version: string): string | null {
  const [, year, month, day, hour, minute, second, millisecond] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/.exec(version) ?? [];
  if (millisecond === undefined) return null;
  const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(instant) ? null : new Date(instant).toISOString();
}
