/**
 * Splits a stream of a JSON document of objects within arrays, such as `[[{...}], [{...}, {...}]]`, into its objects.
 * The memory needed is that of the largest object. JSON.parse checks each object; the arrays around them are checked
 * here, so a truncated document is detected.
 */
import { concatenate } from "../../platform/encoding.ts";

/** The document is not JSON of objects within arrays; `message` gives the byte offset. */
export class JsonRecordsError extends Error {
  override readonly name = "JsonRecordsError";
}

const MAX_RECORD_BYTES = 4 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What may follow, outside of objects. */
type Expected = "value" | "value or ]" | ", or ]" | "end";

export class JsonRecords {
  readonly #onRecord: (record: unknown) => void;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #offset = 0;
  #expected: Expected = "value";
  #arrays = 0;
  /** The number of open objects, whether the position is in a string of one, and whether it is after a backslash. */
  #objects = 0;
  #inString = false;
  #escaped = false;
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(onRecord: (record: unknown) => void) {
    this.#onRecord = onRecord;
  }

  /** Processes the next bytes. Throws {@link JsonRecordsError}. */
  push(chunk: Uint8Array): void {
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0;
      if (this.#objects === 0) {
        if (byte === OPEN_OBJECT) start = i;
        this.#outside(byte, i);
      } else if (this.#inside(byte)) {
        this.#emit(chunk.subarray(start, i + 1), i);
      }
    }
    if (this.#objects > 0) this.#hold(chunk.slice(start));
    this.#offset += chunk.length;
  }

  /** Must be called after the last bytes. Throws {@link JsonRecordsError} if the document is incomplete. */
  end(): void {
    if (this.#objects > 0) throw this.#error("the document ends in an object", 0);
    if (this.#expected !== "end") throw this.#error(`the document ends instead of ${this.#expected}`, 0);
  }

  /** Returns true if the byte closes the outermost object. */
  #inside(byte: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
    } else if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_OBJECT) this.#objects++;
    else if (byte === CLOSE_OBJECT) return --this.#objects === 0;
    return false;
  }

  #outside(byte: number, at: number): void {
    const character = String.fromCharCode(byte);
    const expected = this.#expected;
    if (/[\t\n\r ]/.test(character)) return;
    if (character === "[" && expected.startsWith("value")) {
      this.#arrays++;
      this.#expected = "value or ]";
    } else if (character === "{" && expected.startsWith("value") && this.#arrays > 0) {
      this.#objects = 1;
    } else if (character === "]" && expected.endsWith("]")) {
      this.#arrays--;
      this.#expected = this.#arrays === 0 ? "end" : ", or ]";
    } else if (character === "," && expected.startsWith(",")) {
      this.#expected = "value";
    } else {
      throw this.#error(`${JSON.stringify(character)} instead of ${expected}`, at);
    }
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > MAX_RECORD_BYTES) throw this.#error(`an object of more than ${MAX_RECORD_BYTES} bytes`, 0);
  }

  #emit(last: Uint8Array, at: number): void {
    const bytes = concatenate([...this.#held, last]);
    this.#held = [];
    this.#heldBytes = 0;
    this.#expected = ", or ]";
    let record: unknown;
    try {
      record = JSON.parse(this.#decoder.decode(bytes));
    } catch (error) {
      throw this.#error(`the object that ends here is not JSON: ${(error as Error).message}`, at);
    }
    this.#onRecord(record);
  }

  #error(message: string, at: number): JsonRecordsError {
    return new JsonRecordsError(`byte ${this.#offset + at}: ${message}`);
  }
}
