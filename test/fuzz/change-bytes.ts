/** Changes of an input of any form: bits, bytes, pieces of it, pieces of others, and words. */
import type { Random } from "../random.ts";

/** What a change may take from. */
export interface Sources {
  /** Another input of the same target. */
  readonly other: Uint8Array;
  readonly words: readonly Uint8Array[];
  /** Of the result. */
  readonly maxBytes: number;
}

export type Change = (input: Uint8Array, random: Random, sources: Sources) => Uint8Array;

/** At which readers turn: tags and lengths of DER, marks of texts, ends of ranges. */
const TURNING = Buffer.from(
  '\0\x01\x02\x03\x04\x05\x06\x0c\x17\x18\x1c\x1e\x30\x31\x7f\x80\x81\x82\x84\xa0\xa3\xff"\\,:[]{}<>&=%+-. \t\r\n',
  "latin1",
);

export const pick = <T>(random: Random, from: readonly T[], otherwise: T): T =>
  from[random.below(from.length)] ?? otherwise;
const place = (random: Random, { length }: Uint8Array): number => random.below(length + 1);
/** Mostly few. */
const few = (random: Random, most: number): number => Math.min(most, 1 + Math.floor(random.exponential(6)));

const replace = (input: Uint8Array, at: number, count: number, ...pieces: readonly Uint8Array[]): Uint8Array =>
  new Uint8Array(Buffer.concat([input.subarray(0, at), ...pieces, input.subarray(at + count)]));

export const anyByte = (random: Random): number =>
  random.chance(0.6) ? (TURNING[random.below(TURNING.length)] ?? 0) : random.below(256);

export const anyBytes = (random: Random, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, () => anyByte(random));

const CHANGES: readonly Change[] = [
  (input, random) => replace(input, place(random, input), 1, anyBytes(random, 1)),
  (input, random) => {
    const at = random.below(input.length);
    return input.length === 0 ? input : input.with(at, (input[at] ?? 0) ^ (1 << random.below(8)));
  },
  (input, random) => {
    const at = random.below(input.length);
    return input.length === 0 ? input : input.with(at, (input[at] ?? 0) + (random.chance(0.5) ? 1 : 255));
  },
  (input, random) => replace(input, place(random, input), 0, anyBytes(random, few(random, 16))),
  (input, random) => replace(input, place(random, input), few(random, 64)),
  (input, random) => input.subarray(0, place(random, input)),
  // a piece of itself again, at times so often that work beyond linear shows
  (input, random, { maxBytes }) => {
    const [from, count] = [place(random, input), few(random, 64)];
    const piece = input.subarray(from, from + count);
    const most = Math.max(1, Math.floor((maxBytes - input.length) / Math.max(1, piece.length)));
    const times = random.chance(0.05) ? most : Math.min(most, few(random, 40));
    return replace(input, from, 0, ...Array.from({ length: times }, () => piece));
  },
  (input, random, { other }) => {
    const [from, count] = [place(random, other), few(random, 200) * few(random, 4)];
    return replace(input, place(random, input), random.chance(0.5) ? count : 0, other.subarray(from, from + count));
  },
  (input, random, { words }) => {
    const word = pick(random, words, new Uint8Array());
    return replace(input, place(random, input), random.chance(0.5) ? word.length : 0, word);
  },
];

/** One change. */
export const changeBytes: Change = (input, random, sources) =>
  pick(random, CHANGES, (same) => same)(input, random, sources);
