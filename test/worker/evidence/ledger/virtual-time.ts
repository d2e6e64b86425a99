/** Time that passes when a test says so: what the service reads (clock.ts), what the recorder waits for, deadlines of stores. */
import { vi } from "vitest";
import { clock } from "../../../../src/platform/clock.ts";
import { deadlines, holdDeadlines } from "../../faults/deadlines.ts";

/** Until `vi.restoreAllMocks()`. `isBusy`: whether a store is asked that answers in real time. */
export function startVirtualTime(start: number, isBusy: () => boolean) {
  let now = start;
  holdDeadlines();
  vi.spyOn(clock, "now").mockImplementation(() => now);
  vi.spyOn(scheduler, "wait").mockImplementation(
    (milliseconds) => new Promise((end) => deadlines.add({ at: now + milliseconds, end })),
  );
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
        const [next] = [...deadlines].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (!next) break;
        deadlines.delete(next);
        now = next.at;
        next.end();
      }
      now = until;
    },
    /** Of the clock alone: nothing waits for longer or shorter. */
    jump: (milliseconds: number) => {
      now += milliseconds;
      for (const deadline of deadlines) deadline.at += milliseconds;
    },
    /** As the platform ends requests: nothing of them goes on. */
    endRequests: () => deadlines.clear(),
  };
}
