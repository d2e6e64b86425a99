/**
 * Splits a stream of a JSON document of objects within arrays, such as `[[{...}], [{...}, {...}]]`, into its objects. With
 * `wrapper` it also reads those within `{"wrapper": [...]}`, and within `{"wrapper": {"any key": {...}}}`. The memory needed is
 * that of the largest object. JSON.parse checks each object; what is around them is checked here, so a truncated document is
 * detected.
 */
import { concatenate } from "../../platform/encoding.ts";

/** The document is not JSON of objects within arrays; `message` gives the byte offset. */
export class JsonRecordsError extends Error {
  override readonly name = "JsonRecordsError";
}

const MAX_RECORD_BYTES = 4 * 1024 * 1024;
const MAX_KEY_BYTES = 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What may follow, outside of the records. */
type Expected = "value" | "value or ]" | ", or ]" | "key" | "key or }" | ":" | ", or }" | "}" | "end";
/** What is open around the records: an array, the wrapper, or the object of records in it. */
type Container = "array" | "wrapper" | "object";

const AFTER_VALUE = { array: ", or ]", wrapper: "}", object: ", or }" } as const satisfies Record<Container, Expected>;

export class JsonRecords {
  readonly #onRecord: (record: unknown) => void;
  readonly #wrapper: string | null;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #offset = 0;
  #expected: Expected = "value";
  readonly #containers: Container[] = [];
  /** The number of open objects, whether the position is in a string, and whether it is after a backslash. */
  #objects = 0;
  #inString = false;
  #escaped = false;
  #key: number[] = [];
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(onRecord: (record: unknown) => void, wrapper: string | null = null) {
    this.#onRecord = onRecord;
    this.#wrapper = wrapper;
  }

  /** Processes the next bytes. Throws {@link JsonRecordsError}. */
  push(chunk: Uint8Array): void {
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0;
      if (this.#objects === 0) {
        if (byte === OPEN_OBJECT) start = i;
        if (this.#inString) this.#inKey(byte, i);
        else this.#outside(byte, i);
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
    if (this.#inString) this.#inText(byte);
    else if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_OBJECT) this.#objects++;
    else if (byte === CLOSE_OBJECT) return --this.#objects === 0;
    return false;
  }

  #inText(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #outside(byte: number, at: number): void {
    const character = String.fromCharCode(byte);
    const expected = this.#expected;
    const container = this.#containers.at(-1);
    const isValue = expected.startsWith("value");
    if (/[\t\n\r ]/.test(character)) return;
    if (character === "[" && isValue && container !== "object") {
      this.#containers.push("array");
      this.#expected = "value or ]";
    } else if (character === "{" && isValue && (container === "array" || container === "object")) {
      this.#objects = 1;
    } else if (character === "{" && isValue && this.#wrapper !== null) {
      this.#containers.push(container === undefined ? "wrapper" : "object");
      this.#expected = container === undefined ? "key" : "key or }";
    } else if (character === '"' && expected.startsWith("key")) {
      this.#inString = true;
      this.#key = [QUOTE];
    } else if (character === ":" && expected === ":") {
      this.#expected = "value";
    } else if (/[\]}]/.test(character) && expected.endsWith(character)) {
      this.#containers.pop();
      this.#expected = this.#afterValue();
    } else if (character === "," && expected.startsWith(",")) {
      this.#expected = container === "object" ? "key" : "value";
    } else {
      throw this.#error(`${JSON.stringify(character)} instead of ${expected}`, at);
    }
  }

  #inKey(byte: number, at: number): void {
    this.#inText(byte);
    this.#key.push(byte);
    if (this.#key.length > MAX_KEY_BYTES) throw this.#error(`a key of more than ${MAX_KEY_BYTES} bytes`, at);
    if (this.#inString) return;
    const key = this.#parse(new Uint8Array(this.#key), "key", at);
    if (this.#containers.at(-1) === "wrapper" && key !== this.#wrapper)
      throw this.#error(`${JSON.stringify(key)} instead of "${this.#wrapper}"`, at);
    this.#expected = ":";
  }

  #afterValue(): Expected {
    const container = this.#containers.at(-1);
    return container === undefined ? "end" : AFTER_VALUE[container];
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
    this.#expected = this.#afterValue();
    this.#onRecord(this.#parse(bytes, "object", at));
  }

  #parse(bytes: Uint8Array, what: "object" | "key", at: number): unknown {
    try {
      return JSON.parse(this.#decoder.decode(bytes));
    } catch (error) {
      throw this.#error(`the ${what} that ends here is not JSON: ${(error as Error).message}`, at);
    }
  }

  #error(message: string, at: number): JsonRecordsError {
    return new JsonRecordsError(`byte ${this.#offset + at}: ${message}`);
  }
}
