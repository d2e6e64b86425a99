/**
 * Parses the grammar of RFC 8259 in one pass, in linear time. Open containers are on the heap, not on the call stack,
 * so deep nesting cannot overflow the stack.
 */
import { quoteAlways } from "../../platform/quotation.ts";

/** Why and where a text is not JSON. The message quotes at most one character of the text, and member names. */
export class JsonFault extends Error {
  readonly reason: "not-json" | "duplicate-member";

  constructor(reason: JsonFault["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

type Container =
  | { readonly kind: "array"; readonly value: unknown[] }
  // `name`: the member whose value follows
  | { readonly kind: "object"; readonly value: Record<string, unknown>; name: string };

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** Section 7: all characters except quotation mark, reverse solidus and U+0000 to U+001F may be unescaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the grammar names them
const UNESCAPED = /[^"\\\u0000-\u001f]*/y;
const LITERALS = Object.entries({ true: true, false: false, null: null });
const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "\\": "\\",
  "/": "/",
};

const PLAIN = { configurable: true, enumerable: true, writable: true };

/** Returned instead of a value after the start of an array or object whose first value follows. */
const OPENED = Symbol("opened");

export class JsonReader {
  readonly #text: string;
  #at = 0;
  readonly #open: Container[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Parses the text. Throws {@link JsonFault}. */
  read(): unknown {
    for (;;) {
      let value = this.#beginValue();
      if (value === OPENED) continue;
      for (;;) {
        this.#skipBlanks();
        const container = this.#open.at(-1);
        if (container === undefined) {
          if (this.#at < this.#text.length) this.#refuse("the end of the body");
          return value;
        }
        this.#append(container, value);
        if (this.#take(",")) {
          if (container.kind === "object") this.#readName(container);
          break;
        }
        const end = container.kind === "array" ? "]" : "}";
        if (!this.#take(end)) this.#refuse(`"," or "${end}"`);
        this.#open.pop();
        value = container.value;
      }
    }
  }

  /** A complete value, or {@link OPENED}. */
  #beginValue(): unknown {
    this.#skipBlanks();
    if (this.#take('"')) return this.#readString();
    if (this.#take("[")) {
      this.#skipBlanks();
      if (this.#take("]")) return [];
      this.#open.push({ kind: "array", value: [] });
      return OPENED;
    }
    if (this.#take("{")) {
      this.#skipBlanks();
      if (this.#take("}")) return {};
      const container: Container = { kind: "object", value: {}, name: "" };
      this.#readName(container);
      this.#open.push(container);
      return OPENED;
    }
    const number = this.#skip(NUMBER);
    if (number !== "") return Number(number);
    for (const [text, value] of LITERALS) {
      if (!this.#text.startsWith(text, this.#at)) continue;
      this.#at += text.length;
      return value;
    }
    return this.#refuse("a value");
  }

  #append(container: Container, value: unknown): void {
    if (container.kind === "array") container.value.push(value);
    // an assignment to __proto__ would set the prototype
    else if (container.name === "__proto__")
      Object.defineProperty(container.value, container.name, { value, ...PLAIN });
    else container.value[container.name] = value;
  }

  /** Reads the next member's name and the colon after it. */
  #readName(container: Container & { kind: "object" }): void {
    this.#skipBlanks();
    const begin = this.#at;
    if (!this.#take('"')) this.#refuse("the name of a member, in double quotes");
    const name = this.#readString();
    if (Object.hasOwn(container.value, name)) this.#refuseDuplicate(name, begin);
    this.#skipBlanks();
    if (!this.#take(":")) this.#refuse('":"');
    container.name = name;
  }

  /** Reads a string after its opening quotation mark. */
  #readString(): string {
    let value = this.#skip(UNESCAPED);
    for (;;) {
      if (this.#take('"')) return value;
      if (!this.#take("\\")) this.#refuse("the string's closing quotation mark or an escape");
      value += this.#readEscape() + this.#skip(UNESCAPED);
    }
  }

  #readEscape(): string {
    if (this.#take("u")) {
      const digits = /^[0-9A-Fa-f]*/.exec(this.#text.slice(this.#at, this.#at + 4))?.[0] ?? "";
      this.#at += digits.length;
      return digits.length === 4
        ? String.fromCharCode(Number.parseInt(digits, 16))
        : this.#refuse("a hexadecimal digit");
    }
    const escaped = ESCAPES[this.#text[this.#at] ?? ""];
    if (escaped === undefined) return this.#refuse('one of "\\/bfnrtu');
    this.#at++;
    return escaped;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skipBlanks(): void {
    // not a regular expression, for speed: this runs up to four times for each value
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  /** Consumes and returns what the sticky pattern matches at the position, or "". */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [match] = pattern.exec(this.#text) ?? [""];
    this.#at += match.length;
    return match;
  }

  #refuseDuplicate(name: string, at: number): never {
    // the path to the object with the duplicate; its last few steps are enough to find it
    const steps = this.#open
      .slice(-6, -1)
      .map((container) => (container.kind === "array" ? `[${container.value.length}]` : `.${container.name}`));
    const place = steps.length === 0 ? "" : ` in ${quoteAlways(steps.join("").replace(/^\./, ""))}`;
    const message = `The body has the member ${quoteAlways(name)} twice${place}: the second is at ${this.#position(at)}`;
    throw new JsonFault("duplicate-member", message);
  }

  #refuse(expected: string): never {
    const found = this.#text.codePointAt(this.#at);
    const what = found === undefined ? "it ends there" : `found ${quoteAlways(String.fromCodePoint(found))}`;
    throw new JsonFault(
      "not-json",
      `The body is not JSON: at ${this.#position(this.#at)} should be ${expected}; ${what}`,
    );
  }

  /** Counts from 1, in Unicode characters, as editors do. */
  #position(at: number): string {
    const before = Array.from(this.#text.slice(0, at));
    const line = before.filter((character) => character === "\n").length + 1;
    const column = before.length - before.lastIndexOf("\n");
    return `character ${before.length + 1} (line ${line}, column ${column})`;
  }
}
