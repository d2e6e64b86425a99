/** Headers of the messages of http-messages.ts. */

export type HeadersSource = Iterable<readonly [string, string]> | Readonly<Record<string, string>> | null | undefined;

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** A byte string without NUL and line ends (Fetch, "header value"). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those that it has
const VALUE = /^[\x01-\x09\x0b\x0c\x0e-\xff]*$/;

function headerName(name: string): string {
  if (!NAME.test(name)) throw new TypeError(`invalid header name: ${name}`);
  return String(name).toLowerCase();
}

function headerValue(given: unknown): string {
  const value = String(given).replaceAll(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (!VALUE.test(value)) throw new TypeError(`invalid header value: ${value}`);
  return value;
}

export class LightHeaders {
  readonly #values = new Map<string, string>();
  readonly #cookies: string[] = [];

  constructor(given?: HeadersSource) {
    if (!given) return;
    const pairs = Symbol.iterator in given ? given : Object.entries(given);
    for (const [name, value] of pairs as Iterable<readonly [string, string]>) this.append(name, value);
  }

  append(given: string, value: string): void {
    const name = headerName(given);
    if (name === "set-cookie") {
      this.#cookies.push(headerValue(value));
      return;
    }
    const before = this.#values.get(name);
    this.#values.set(name, before === undefined ? headerValue(value) : `${before}, ${headerValue(value)}`);
  }

  set(given: string, value: string): void {
    const name = headerName(given);
    if (name === "set-cookie") this.#cookies.splice(0, Number.POSITIVE_INFINITY, headerValue(value));
    else this.#values.set(name, headerValue(value));
  }

  get(given: string): string | null {
    const name = headerName(given);
    if (name === "set-cookie") return this.#cookies.length === 0 ? null : this.#cookies.join(", ");
    return this.#values.get(name) ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  delete(given: string): void {
    const name = headerName(given);
    if (name === "set-cookie") this.#cookies.length = 0;
    else this.#values.delete(name);
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  /** By name. */
  *entries(): Generator<[string, string]> {
    const cookies = this.#cookies.map((cookie): [string, string] => ["set-cookie", cookie]);
    yield* [...this.#values, ...cookies].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  }

  *keys(): Generator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): Generator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  forEach(visit: (value: string, name: string, headers: this) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries();
  }
}
