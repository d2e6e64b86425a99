/** The spans that the page of traffic shows. The ledger counts by hours and days of UTC, so a span begins with one. Pure. */
import { nameDay } from "../../platform/clock.ts";

export const SPANS = ["hour", "day", "month"] as const;
type SpanName = (typeof SPANS)[number];

export interface Span {
  readonly name: SpanName;
  /** Milliseconds since 1970; the latter exclusive. */
  readonly from: number;
  readonly to: number;
  /** What a bar of the picture stands for. */
  readonly step: "hour" | "day";
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const startOf = (time: number, unit: number): number => Math.floor(time / unit) * unit;

/** At least as long as its name says, and at most one hour or day longer. `now`: milliseconds since 1970. */
export function readSpan(name: string | undefined, now: number): Span {
  const to = startOf(now, HOUR_MS) + HOUR_MS;
  switch (name) {
    case "hour":
      return { name, from: startOf(now - HOUR_MS, HOUR_MS), to, step: "hour" };
    case "month":
      return { name, from: startOf(now - 30 * DAY_MS, DAY_MS), to, step: "day" };
    default:
      return { name: "day", from: startOf(now - DAY_MS, HOUR_MS), to, step: "hour" };
  }
}

/** The days of a span, as the page of records is asked for them. */
export const daysOf = ({ from, to }: Span) => ({ from: nameDay(from), to: nameDay(to - 1) });
