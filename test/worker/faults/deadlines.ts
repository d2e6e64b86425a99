/**
 * Deadlines of stores (platform/stores.ts) in a time of their own: one passes when a call has no answer, however slow the machine
 * is.
 */
import { vi } from "vitest";
import { clock } from "../../../src/platform/clock.ts";
import { LONG_STORE_TIMEOUT_MS, STORE_TIMEOUT_MS } from "../../../src/platform/stores.ts";

export interface Deadline {
  /** Milliseconds since 1970, by the clock of the test. */
  at: number;
  readonly end: () => void;
}

/** Of the calls under way, the newest last. */
export const deadlines = new Set<Deadline>();
let passed = 0;

/** Until `vi.restoreAllMocks()`. */
export function holdDeadlines(): void {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const { now } = clock;
  vi.spyOn(clock, "now").mockImplementation(() => now() + passed);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, milliseconds = 0) => {
    if (milliseconds !== STORE_TIMEOUT_MS && milliseconds !== LONG_STORE_TIMEOUT_MS) return start(end, milliseconds);
    const deadline: Deadline = { at: clock.now() + milliseconds, end };
    deadlines.add(deadline);
    return deadline;
  }) as unknown as typeof setTimeout);
  vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
    if (!deadlines.delete(timer as unknown as Deadline)) stop(timer);
  });
}

/** What a call without an answer returns: its deadline, which is the newest, passes if deadlines are held. */
export function passDeadline(): Promise<never> {
  const newest = [...deadlines].at(-1);
  if (newest) {
    passed += Math.max(0, newest.at - clock.now());
    setTimeout(newest.end, 0);
  }
  return new Promise(() => {});
}
