/** Random numbers from a text: equal texts give equal numbers. */

/** Four words of state from a text (xmur3). */
function hashSeed(text: string): () => number {
  let hash = 1779033703 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 3432918353);
    hash = (hash << 13) | (hash >>> 19);
  }
  return () => {
    hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
    hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
    hash ^= hash >>> 16;
    return hash >>> 0;
  };
}

export class Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: string) {
    this.#seed = seed;
    const word = hashSeed(seed);
    [this.#a, this.#b, this.#c, this.#d] = [word(), word(), word(), word()];
  }

  /** sfc32: 32 random bits. */
  word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + sum) | 0;
    return sum >>> 0;
  }

  /** At least 0, less than 1. */
  next(): number {
    return this.word() / 2 ** 32;
  }

  /** A whole number of at least `from` and at most `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** As `crypto.getRandomValues`. */
  fill<View extends ArrayBufferView>(view: View): View {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.word() & 255;
    return view;
  }

  /** Another row of numbers: how many are drawn from one changes nothing in the other. */
  fork(name: string): Random {
    return new Random(`${this.#seed}/${name}`);
  }
}
