/**
 * Unpacks the EBA's ZIP as it comes: one JSON document and, beside it, its `.sha256`.
 *
 * The ZIP is read forward, without its directory, so where a member ends is found by the mark that follows it. Once in
 * a hundred files those four bytes stand inside the packed data too: the checksum or the JSON then does not hold, and the
 * file is refused although it is sound. Unpacked by hand it can be imported.
 */
import { Unzip, UnzipInflate } from "fflate";

/** The ZIP cannot be unpacked, or is not what the EBA packs. */
export class EbaZipError extends Error {
  override readonly name = "EbaZipError";
}

const PIECE_BYTES = 8 * 1024;
const MAX_SIDECAR_CHARACTERS = 1024;

export class EbaZip {
  readonly #unzip: Unzip;
  #json: string | null = null;
  #sidecar: string | null = null;

  /** `onJson` gets the document's bytes in order. */
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

  /** Takes the next bytes. Throws {@link EbaZipError}, and what `onJson` throws. */
  push(chunk: Uint8Array, isLast: boolean): void {
    try {
      // what a piece unpacks to is one buffer: ten times the piece, or a thousand times if it is made to hurt
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        this.#unzip.push(chunk.subarray(at, at + PIECE_BYTES), false);
      }
      if (isLast) this.#unzip.push(new Uint8Array(), true);
    } catch (error) {
      throw asZipError(error, "the file");
    }
    if (isLast && this.#json === null) throw new EbaZipError("no .json in it");
  }

  /** The SHA-256 that the ZIP gives for its document, in lower-case hex; null when it has none. Known after the last push. */
  get documentSha256(): string | null {
    return this.#sidecar === null ? null : (/[0-9a-f]{64}/i.exec(this.#sidecar)?.[0].toLowerCase() ?? "unreadable");
  }

  #readSidecar(chunk: Uint8Array): void {
    this.#sidecar = ((this.#sidecar ?? "") + new TextDecoder().decode(chunk)).slice(0, MAX_SIDECAR_CHARACTERS);
  }
}

/** fflate's own errors bear a number; what `onJson` throws comes back through fflate too, and stays what it is. */
const asZipError = (error: unknown, what: string): unknown =>
  error instanceof Error && "code" in error && typeof error.code === "number"
    ? new EbaZipError(`${what}: ${error.message}`)
    : error;
