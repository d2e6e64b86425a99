/**
 * Reads the EBA's golden copy, as JSON or ZIP, as a stream: only one raw record at a time is in memory, and the parsed
 * registers. The result is an error unless the whole file was read and its checksums match.
 */
import type { Hash } from "node:crypto";
import { Unzip, UnzipInflate } from "fflate";
import { createHash } from "../../platform/node-crypto.ts";
import { BANK_TYPES } from "./bank-record.ts";
import { EbaRegisters } from "./eba-registers.ts";
import { ebaInstant } from "./euclid-entity.ts";
import { JsonRecords, JsonRecordsError } from "./json-records.ts";

export interface EbaFileOptions {
  /** SHA-256 of the file in hex, from the EBA's metadata; null if unknown. A checksum in the ZIP is always checked. */
  readonly sha256: string | null;
  /** ISO 8601, from the EBA's metadata; null to use the latest record version in the file. */
  readonly published: string | null;
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
  if (registers.institutions === 0) return { ok: false, reason: explainNoInstitution(registers) };
  const published = options.published ?? ebaInstant(registers.latestVersion);
  if (published === null) return { ok: false, reason: "no record says when it was changed" };
  return { ok: true, registers, published, sha256, documentSha256 };
}

/** A file of other types only may be another register of the EBA's. */
function explainNoInstitution({ unknownTypes }: EbaRegisters): string {
  const types = Object.entries(unknownTypes).map(([type, count]) => `${count} of ${type}`);
  if (types.length === 0) return "it has no institution";
  return Object.keys(unknownTypes).every((type) => BANK_TYPES.has(type))
    ? `it is of the EBA's register of credit institutions (${types.join(", ")}), which is read as the EBA's search answers it: [{"_payload": …}]`
    : `it has no institution of a type that is known, only ${types.join(", ")}`;
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

// The ZIP is read forward, without its central directory, so the end of a member is found by the signature that follows it.
// In about one of a hundred files these four bytes also occur inside the compressed data. The checksum or the JSON is then
// wrong, and a valid file is refused. In that case unpack it and import the JSON.

/** The ZIP cannot be unpacked, or has other contents than the EBA's. */
class EbaZipError extends Error {
  override readonly name = "EbaZipError";
}

const PIECE_BYTES = 8 * 1024;
const MAX_SIDECAR_CHARACTERS = 1024;

export class EbaZip {
  readonly #unzip: Unzip;
  #json: string | null = null;
  #sidecar: string | null = null;

  /** `onJson` is called with the document's bytes in order. */
  constructor(onJson: (chunk: Uint8Array) => void) {
    this.#unzip = new Unzip((member) => {
      const isSidecar = member.name.endsWith(".sha256");
      if (!isSidecar && !member.name.endsWith(".json")) return;
      if (!isSidecar && this.#json !== null) throw new EbaZipError(`a second document, ${member.name}`);
      if (!isSidecar) this.#json = member.name;
      member.ondata = (error, chunk) => {
        if (error) throw asZipError(error, member.name);
        if (isSidecar) this.#readSidecar(chunk);
        else onJson(chunk);
      };
      member.start();
    });
    this.#unzip.register(UnzipInflate);
  }

  /** Processes the next bytes. Throws {@link EbaZipError}, and the errors of `onJson`. */
  push(chunk: Uint8Array, isLast: boolean): void {
    try {
      // a piece is unpacked into one buffer: ten times its size, or a thousand times in a hostile file
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        this.#unzip.push(chunk.subarray(at, at + PIECE_BYTES), false);
      }
      if (isLast) this.#unzip.push(new Uint8Array(), true);
    } catch (error) {
      throw asZipError(error, "the file");
    }
    if (isLast && this.#json === null) throw new EbaZipError("no .json in it");
  }

  /** The document's SHA-256 according to the ZIP, in lower-case hex; null if absent. Available after the last push. */
  get documentSha256(): string | null {
    return this.#sidecar === null ? null : (/[0-9a-f]{64}/i.exec(this.#sidecar)?.[0].toLowerCase() ?? "unreadable");
  }

  #readSidecar(chunk: Uint8Array): void {
    this.#sidecar = ((this.#sidecar ?? "") + new TextDecoder().decode(chunk)).slice(0, MAX_SIDECAR_CHARACTERS);
  }
}

/** fflate's own errors have a numeric code. Errors of `onJson` also pass through fflate and are returned unchanged. */
const asZipError = (error: unknown, what: string): unknown =>
  error instanceof Error && "code" in error && typeof error.code === "number"
    ? new EbaZipError(`${what}: ${error.message}`)
    : error;
