/**
 * Unpacks the EBA's ZIP as a stream: it contains one JSON document and its `.sha256`.
 *
 * The ZIP is read forward, without its central directory, so the end of a member is found by the signature that follows
 * it. In about one of a hundred files these four bytes also occur inside the compressed data. The checksum or the JSON
 * is then wrong, and a valid file is refused. In that case unpack it and import the JSON.
 */
import { Unzip, UnzipInflate } from "fflate";

/** The ZIP cannot be unpacked, or has other contents than the EBA's. */
export class EbaZipError extends Error {
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
