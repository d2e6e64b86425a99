/**
 * Where a recorded answer and the one of this release differ. Verdicts, decisions, codes and facts of registers must be the
 * same. A release may say a sentence in other words, and may say more than an earlier one: these are notes alone.
 */

export interface Difference {
  /** Such as `answer.eIDAS.validity.notRevoked` or `checks[0].verdicts[1]`. */
  readonly path: string;
  /** Null also where the member is absent: JSON has no undefined. */
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** Asked about each difference: true if it is only to be noted, so that the next one is looked for. Absent members are undefined. */
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

/** Sentences: of warnings, whose codes stand beside them with version `latest`; of reasons; the name of the oldest source. */
const SENTENCE = /\.warning\[\d+\]$|\.reasons\[\d+\]\.message$|\.oldest\.name$/;
/**
 * The members of an answer that may be absent: one that comes out now, and was not recorded, is a fact that was not there.
 * Any other that was not recorded is one that a later release has added.
 */
export const MAY_BE_ABSENT: ReadonlySet<string> = new Set([
  ...[
    "accepted",
    "decision",
    "evidence",
    "found_by",
    "hostRegister",
    "passportIn",
    "passportOut",
    "warning",
    "warning_codes",
  ],
]);
/** Of one record. */
const MAX_KEPT = 20;

export interface Notes {
  /** The first of them: texts that were reworded, members that were added. */
  readonly first: readonly Difference[];
  readonly count: number;
  /** Of the service: the one that answered, and this one. */
  readonly releases: { readonly recorded: string; readonly replayed: string };
}

/** Takes notes of one record. */
export class NoteTaker {
  readonly #first: Difference[] = [];
  #count = 0;

  readonly isNoted: IsNoted = (path, recorded, replayed) => {
    if (!isReworded(path, recorded, replayed) && !isAdded(path, recorded)) return false;
    this.add({ path, recorded: recorded ?? null, replayed });
    return true;
  };

  get count(): number {
    return this.#count;
  }

  add(difference: Difference): void {
    this.#count++;
    if (this.#first.length < MAX_KEPT) this.#first.push(difference);
  }

  /** Null if there are none. */
  list(releases: Notes["releases"]): Notes | null {
    return this.#count === 0 ? null : { first: this.#first, count: this.#count, releases };
  }
}

const isReworded = (path: string, recorded: unknown, replayed: unknown): boolean =>
  typeof recorded === "string" && typeof replayed === "string" && SENTENCE.test(path);

/** An element of a list is none: it has no name. */
function isAdded(path: string, recorded: unknown): boolean {
  const name = /\.(\w+)$/.exec(path)?.[1];
  return recorded === undefined && name !== undefined && !MAY_BE_ABSENT.has(name);
}
