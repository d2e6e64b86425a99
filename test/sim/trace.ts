/** What happened in a history, line by line, and how often what was to be tried occurred. */
import { createHash } from "node:crypto";

export class Trace {
  readonly #time: () => number;
  readonly #lines: string[] | null;
  readonly #hash = createHash("sha256");

  /** `time`: milliseconds since 1970. `keep`: whether the lines are wanted; else only their digest is. */
  constructor(time: () => number, keep: boolean) {
    this.#time = time;
    this.#lines = keep ? [] : null;
  }

  note(line: () => string): void {
    if (this.#lines) this.#lines.push(`${this.#time()} ${line()}`);
  }

  /** Also without lines: what decides whether two histories are the same. */
  mark(line: string): void {
    this.#hash.update(`${this.#time()} ${line}\n`);
    this.note(() => line);
  }

  get lines(): readonly string[] {
    return this.#lines ?? [];
  }

  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}

export class Counters {
  readonly faults = new Map<string, number>();
  readonly conditions = new Map<string, number>();

  fault(name: string): void {
    this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
  }

  /** An invariant's condition occurred: it said something about this history. */
  condition(name: string): void {
    this.conditions.set(name, (this.conditions.get(name) ?? 0) + 1);
  }
}

export function addCounts(to: Map<string, number>, from: Iterable<readonly [string, number]>): void {
  for (const [name, count] of from) to.set(name, (to.get(name) ?? 0) + count);
}
