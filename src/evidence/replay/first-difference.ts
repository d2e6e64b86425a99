/** The first place at which two JSON values differ, in the order of the recorded one. */

export interface Difference {
  /** Such as `answer.eIDAS.validity.notRevoked` or `checks[0].verdicts[1]`. */
  readonly path: string;
  /** Null also where the member is absent: JSON has no undefined. */
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** Told of each difference: true if it is only to be noted, so that the next one is looked for. Absent members are undefined. */
export type IsNoted = (path: string, recorded: unknown, replayed: unknown) => boolean;

const NOTHING: IsNoted = () => false;

/** Null if the values are equal. The order of an object's members does not matter, that of an array's elements does. */
export function findFirstDifference(
  recorded: unknown,
  replayed: unknown,
  path: string,
  isNoted: IsNoted = NOTHING,
): Difference | null {
  if (Array.isArray(recorded) && Array.isArray(replayed))
    return firstOf(range(Math.max(recorded.length, replayed.length)), (i) =>
      findFirstDifference(recorded[i], replayed[i], `${path}[${i}]`, isNoted),
    );
  if (isObject(recorded) && isObject(replayed))
    return firstOf(new Set([...Object.keys(recorded), ...Object.keys(replayed)]), (name) =>
      findFirstDifference(recorded[name], replayed[name], `${path}.${name}`, isNoted),
    );
  if (Object.is(recorded, replayed) || isNoted(path, recorded, replayed)) return null;
  return { path, recorded: recorded ?? null, replayed: replayed ?? null };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

function firstOf<Key>(keys: Iterable<Key>, compare: (key: Key) => Difference | null): Difference | null {
  for (const key of keys) {
    const difference = compare(key);
    if (difference) return difference;
  }
  return null;
}
