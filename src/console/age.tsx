/** An instant as its distance from now, with the instant itself for machines and for the pointer. */
import { relativeTime } from "../relative-time.ts";
import { writeTime } from "./times.ts";

/** `time`: milliseconds since 1970, or ISO 8601. */
export const Age = ({ time, now }: { time: number | string; now: number }) => (
  <time datetime={new Date(time).toISOString()} title={writeTime(time)}>
    {relativeTime(time, now)}
  </time>
);
