/** How clocks of a history differ from the true time, and from each other. */
import type { ClockFault } from "./isolate.ts";
import type { Random } from "./random.ts";

export const CLOCKS = ["right", "right", "close", "seconds", "hour", "fast", "stepping"] as const;
export type Clocks = (typeof CLOCKS)[number];

/** By how much clocks that are close differ at most. */
export const CLOSE_MS = 600;

/** And those that differ by seconds from the true time. */
export const SECONDS_MS = 20_000;

export const areClose = (clocks: Clocks): boolean => clocks === "right" || clocks === "close";

/** By so much that leases, pauses and a token's hour may be over for one and not for another. */
export const areFarApart = (clocks: Clocks): boolean => clocks === "hour" || clocks === "stepping";

/** So that a minute is one for all. */
export const keepTime = (clocks: Clocks): boolean => clocks !== "fast" && !areFarApart(clocks);

const HOUR_MS = 3_600_000;
/** After its isolate began. */
const LATEST_STEP_MS = 180_000;

/** Of one isolate. */
export function drawClock(clocks: Clocks, random: Random): ClockFault {
  const upTo = (most: number) => random.between(-most, most);
  switch (clocks) {
    case "right":
      return { offsetMs: 0, rate: 1, step: null };
    case "close":
      return { offsetMs: upTo(CLOSE_MS / 2), rate: 1, step: null };
    case "seconds":
      return { offsetMs: upTo(SECONDS_MS), rate: 1, step: null };
    case "hour":
      return { offsetMs: random.pick([-1, 0, 1]) * random.between(HOUR_MS / 2, HOUR_MS), rate: 1, step: null };
    case "fast":
      return { offsetMs: upTo(1_000), rate: 1 + upTo(20) / 100, step: null };
    case "stepping": {
      const byMs = random.chance(0.3) ? random.pick([-1, 1]) * HOUR_MS : upTo(30_000);
      return { offsetMs: upTo(300), rate: 1, step: { afterMs: random.between(0, LATEST_STEP_MS), byMs } };
    }
  }
}
