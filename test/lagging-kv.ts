/** Workers KV as it is read at other locations: of each key what was stored up to a minute ago, also that there was nothing. */

interface Version {
  readonly at: number;
  readonly text: string | null;
  readonly metadata: unknown;
}
type Read = string | readonly string[];

/** Of Workers KV's documentation: how long a location may show what was before. */
export const MOST_LAG_MS = 60_000;

export class LaggingKv {
  /** Milliseconds since 1970. */
  now: number;
  /** By how much a reading of a key lags; a test may change it. */
  lag: (key: string) => number;
  readonly #versions = new Map<string, Version[]>();

  constructor(now: number, lag: (key: string) => number = () => MOST_LAG_MS) {
    [this.now, this.lag] = [now, lag];
  }

  /** As a location shows it; writes are of the moment. */
  readonly shown = this.#at((key) => this.lag(key));
  /** As every location will show it. */
  readonly settled = this.#at(() => 0);

  #at(lag: (key: string) => number): KVNamespace {
    const find = (key: string): Version => {
      const until = this.now - lag(key);
      return this.#versions.get(key)?.findLast(({ at }) => at <= until) ?? { at: 0, text: null, metadata: null };
    };
    const parse = ({ text }: Version) => JSON.parse(text ?? "null");
    const value = (key: string) => parse(find(key));
    const write = async (key: string, text: string | null, metadata: unknown = null) => {
      const versions = this.#versions.get(key) ?? [];
      this.#versions.set(key, versions);
      versions.push({ at: this.now, text, metadata });
    };
    return {
      get: async (asked: Read) =>
        typeof asked === "string" ? value(asked) : new Map(asked.map((key) => [key, value(key)])),
      getWithMetadata: async (key: string) => {
        const found = find(key);
        return { value: parse(found), metadata: found.metadata };
      },
      list: async ({ prefix = "" } = {}) => {
        const names = [...this.#versions.keys()].filter((key) => key.startsWith(prefix) && find(key).text !== null);
        return { keys: names.sort().map((name) => ({ name })), list_complete: true };
      },
      put: (key: string, text: string, options: KVNamespacePutOptions = {}) => write(key, text, options.metadata),
      delete: (key: string) => write(key, null),
    } as unknown as KVNamespace;
  }
}
