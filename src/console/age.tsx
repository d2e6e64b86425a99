/** An instant as its distance from now; the instant itself is shown to the pointer. A page may have hundreds. */
import { relativeTime } from "../platform/clock.ts";
import { writeTime } from "./times.ts";

/** `time`: milliseconds since 1970, or ISO 8601. */
export const Age = ({ time, now }: { time: number | string; now: number }) => (
  <span title={writeTime(time)}>{relativeTime(time, now)}</span>
);
