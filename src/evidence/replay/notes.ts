/**
 * Which differences between a recorded answer and the one of this release are notes alone. Verdicts, decisions, codes and
 * facts of registers must be the same. A release may say a sentence in other words, and may say more than one before.
 */
import type { Difference, IsNoted } from "./first-difference.ts";

/** Sentences: of warnings, whose codes stand beside them with version `latest`; of reasons; the name of the oldest source. */
const SENTENCE = /\.warning\[\d+\]$|\.reasons\[\d+\]\.message$|\.oldest\.name$/;
/**
 * The members of an answer that may be absent: one that comes out now, and was not recorded, is a fact that was not there.
 * Any other that was not recorded is one that a later release has added.
 */
export const MAY_BE_ABSENT: ReadonlySet<string> = new Set([
  ...["decision", "evidence", "hostRegister", "passportIn", "passportOut", "warning", "warning_codes"],
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
