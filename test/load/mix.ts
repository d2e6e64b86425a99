/** What banks do, and how often; drawn by a seeded generator, so that a run can be repeated. */

/** Actions in a hundred. A flow and a consent are several requests each. */
export const MIX = {
  "PSP check": 70,
  "token information": 10,
  "code-to-token flow": 10,
  consent: 5,
  "hostile input": 5,
} as const;

export type ActionKind = keyof typeof MIX;

export const ACTION_KINDS = Object.keys(MIX) as readonly ActionKind[];

/** From 0 to below 1. */
export type Random = () => number;

/** The action for a drawn number. */
export function drawAction(random: Random): ActionKind {
  let left = random() * 100;
  for (const kind of ACTION_KINDS) {
    left -= MIX[kind];
    if (left < 0) return kind;
  }
  // shares that sum to a hundred leave this to rounding only
  return "hostile input";
}

/** An element, each with the same chance. */
export function drawOne<Element>(random: Random, elements: readonly Element[]): Element {
  const drawn = elements[Math.floor(random() * elements.length)];
  if (drawn === undefined) throw new Error("nothing to draw from");
  return drawn;
}

/** mulberry32: small and fast; that it is predictable is the point. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
