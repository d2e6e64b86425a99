/** Numbers that look random and are the same for the same seed. */

/** mulberry32: 32 bits of state, enough for some millions of draws. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Mostly small, sometimes several times the mean. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** A whole number below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}

/** Draws an index by its weight: pass the weights once, then draw. */
export function weighted(weights: readonly number[]): (random: Random) => number {
  let sum = 0;
  const bounds: number[] = [];
  for (const weight of weights) {
    sum += weight;
    bounds.push(sum);
  }
  return (random) => {
    const at = random.next() * sum;
    let [low, high] = [0, bounds.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** Zipf's law: the n-th is 1/n as frequent as the first. */
export const zipf = (count: number): number[] => Array.from({ length: count }, (_, i) => 1 / (i + 1));
