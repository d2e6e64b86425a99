/** What the file of a day says: its segments, and which of them hold records of a PSP. Pure. */
import type { Segment } from "./segment.ts";

/** `psps`: by authorisation number the places of its segments in the list. */
export interface DayIndex {
  readonly day: string;
  readonly segments: readonly Segment[];
  readonly psps: Readonly<Record<string, readonly number[]>>;
}

/** In the place of a number: segments that may hold any. */
const ANY = "";
/**
 * In bytes of the heap, about, of the 128 MB that an object has: numbers are in certificates that anybody can make. It is that of a
 * thousand PSPs in each of 2,000 segments.
 */
const ROOM = 16 * 1024 ** 2;
const [NAME_BYTES, PLACE_BYTES] = [64, 8];

/** `listed`: the numbers of each segment. One whose numbers find no room is listed under {@link ANY}. */
export function indexDay(
  day: string,
  segments: readonly Segment[],
  listed: Iterable<readonly string[]>,
  room = ROOM,
): DayIndex {
  const places = new Map<string, number[]>();
  const weigh = (psp: string) => PLACE_BYTES + (places.has(psp) ? 0 : NAME_BYTES + 2 * psp.length);
  let place = 0;
  let left = room;
  for (const psps of listed) {
    const bytes = psps.reduce((sum, psp) => sum + weigh(psp), 0);
    const isRoom = bytes <= left;
    if (isRoom) left -= bytes;
    for (const psp of isRoom ? psps : [ANY]) {
      const known = places.get(psp);
      if (known) known.push(place);
      else places.set(psp, [place]);
    }
    place++;
  }
  return { day, segments, psps: Object.fromEntries(places) };
}

/** Those that may hold records of the PSP, newest first. */
export function segmentsOf({ segments, psps }: DayIndex, psp: string | null): Segment[] {
  if (psp === null) return segments.toReversed();
  // by own names only: whoever asks for a PSP of the name "constructor" gets none
  const places = new Set([psp, ANY].flatMap((name) => (Object.hasOwn(psps, name) ? (psps[name] ?? []) : [])));
  return segments.filter((_, place) => places.has(place)).toReversed();
}
