/** Time that passes when a test says so: what the service reads (clock.ts), what the recorder waits for, deadlines of stores. */
import { vi } from "vitest";
import { clock } from "../../../src/clock.ts";
import { STORE_TIMEOUT_MS } from "../../../src/store-error.ts";

interface Wait {
  readonly at: number;
  readonly end: () => void;
}

/** Until `vi.restoreAllMocks()`. `isBusy`: whether a store is asked that answers in real time. */
export function startVirtualTime(start: number, isBusy: () => boolean) {
  let now = start;
  let waits: Wait[] = [];
  vi.spyOn(clock, "now").mockImplementation(() => now);
  vi.spyOn(scheduler, "wait").mockImplementation(
    (milliseconds) => new Promise((end) => waits.push({ at: now + milliseconds, end })),
  );
  const { setTimeout: begin, clearTimeout: stop } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, milliseconds = 0) => {
    if (milliseconds !== STORE_TIMEOUT_MS) return begin(end, milliseconds);
    const wait: Wait = { at: now + milliseconds, end };
    waits.push(wait);
    return wait;
  }) as unknown as typeof setTimeout);
  vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
    waits = waits.filter((wait) => (wait as unknown) !== timer);
    stop(timer);
  });
  /** All that can go on without time does. */
  const settle = async () => {
    do await new Promise((resolve) => setTimeout(resolve, 0));
    while (isBusy());
  };
  return {
    now: () => now,
    pass: async (milliseconds: number) => {
      const until = now + milliseconds;
      for (;;) {
        await settle();
        const [next] = waits.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (!next) break;
        waits = waits.filter((wait) => wait !== next);
        now = next.at;
        next.end();
      }
      now = until;
    },
    /** Of the clock alone: nothing waits for longer or shorter. */
    jump: (milliseconds: number) => {
      now += milliseconds;
      waits = waits.map((wait) => ({ ...wait, at: wait.at + milliseconds }));
    },
    /** As the platform ends requests: nothing of them goes on. */
    endRequests: () => {
      waits = [];
    },
  };
}
