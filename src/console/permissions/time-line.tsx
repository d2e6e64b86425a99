/** Who may see what until when: a bar for each permission, from its beginning to its end, on one scale. */

import type { Instant } from "../../platform/instant.ts";
import type { PermissionRecord } from "../../routes/accounts/permissions.answer.ts";
import type { Tick, TimeScale } from "../check/time-line.tsx";
import { Axis, MIN_WIDTH, Period, percent, placeOf } from "../check/time-line.tsx";
import { Time } from "../elements.tsx";

const DOES = { accounts: "sees the account", payments: "pays from the account" } as const;
const DID = { accounts: "saw the account", payments: "could pay from the account" } as const;

/** Null: no end is known. */
const endOf = ({ ended_at, valid_until }: PermissionRecord): Instant | null => {
  const end = ended_at ?? valid_until;
  return end === null ? null : Date.parse(end);
};

export function PermissionTimeLine({ records, now }: { records: readonly PermissionRecord[]; now: Instant }) {
  const times = records.flatMap((record) => [Date.parse(record.granted_at), endOf(record) ?? now]);
  const scale = scaleOf(times, now);
  const here = percent(placeOf(now, scale));
  return (
    <>
      <ul class="spans">
        {records.map((record) => {
          const { id, psp, scope, status, blocked, granted_at } = record;
          const [from, to] = [Date.parse(granted_at), endOf(record)];
          // what is over, and nobody knows since when, is drawn up to now
          const right = placeOf(to ?? (status === "ended" ? now : scale.end), scale);
          const left = Math.min(placeOf(from, scale), 100 - MIN_WIDTH);
          const look = status === "ended" ? "plain" : blocked ? "warn" : "yes";
          return (
            <li>
              <p>
                <a href={`#${id}`}>{psp.legal_name ?? psp.authorisation_number}</a>{" "}
                {(status === "ended" ? DID : DOES)[scope]}{" "}
                <span class="muted">
                  <Period from={from} to={to} />
                  {to === null && ", open ended"}
                  {status === "ended" ? ", ended" : blocked ? ", blocked now" : ""}
                </span>
              </p>
              <svg class="span" width="100%" height="14" aria-hidden="true" focusable="false">
                <rect class="ground" width="100%" height="14" rx="3" />
                <rect
                  class={look}
                  x={percent(left)}
                  width={percent(Math.max(right - left, MIN_WIDTH))}
                  y={status === "ended" ? 5 : 2}
                  height={status === "ended" ? 4 : 10}
                  rx="2"
                />
                <line class="here" x1={here} x2={here} y1="0" y2="14" />
              </svg>
            </li>
          );
        })}
      </ul>
      <Axis ticks={listTicks(scale)} scale={scale} />
      <p class="muted small">
        The line through all bars is now, <Time at={now} />. A thin bar is a permission that has ended.
      </p>
    </>
  );
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MARGIN = 0.04;
/** The shortest scale. */
const MIN_MS = 2 * HOUR_MS;
const MAX_TICKS = 6;

/** A margin around all that is given and around now. */
export function scaleOf(times: readonly number[], now: Instant): TimeScale {
  const [first, last] = [Math.min(now, ...times), Math.max(now, ...times)];
  const margin = Math.max((last - first) * MARGIN, (MIN_MS - (last - first)) / 2);
  return { start: first - margin, end: last + margin };
}

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
const hour = format({ hour: "2-digit", minute: "2-digit" });
const dayOfMonth = format({ day: "numeric", month: "short" });
const month = format({ month: "short", year: "numeric" });
const year = format({ year: "numeric" });

/** Steps in months, and in hours for what is shorter. */
const STEPS = [
  ...[1, 3, 6, 12].map((hours) => ({ hours, months: 0, label: hour })),
  ...[1, 2, 4, 7, 14].map((days) => ({ hours: 24 * days, months: 0, label: dayOfMonth })),
  ...[1, 2, 3, 6].map((months) => ({ hours: 0, months, label: month })),
  ...[1, 2, 5, 10, 20, 50, 100].map((years) => ({ hours: 0, months: 12 * years, label: year })),
];
const LONGEST = { hours: 0, months: 12_000, label: year };

/** At most seven, at the beginnings of hours, days, months or years. */
export function listTicks({ start, end }: TimeScale): Tick[] {
  const lengthOf = ({ hours, months }: typeof LONGEST) => hours * HOUR_MS + months * 30.4 * DAY_MS;
  const step = STEPS.find((one) => (end - start) / lengthOf(one) <= MAX_TICKS) ?? LONGEST;
  const ticks: Tick[] = [];
  for (let time = firstOf(start, step); time <= end; time = next(time, step))
    if (time >= start) ticks.push({ time, label: step.label.format(time) });
  return ticks;
}

/** The last beginning of a step up to `start`. */
function firstOf(start: Instant, { hours, months }: typeof LONGEST): Instant {
  const date = new Date(start);
  const [inYear, inMonth] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (hours > 0) return Date.UTC(inYear, inMonth, date.getUTCDate());
  if (months < 12) return Date.UTC(inYear, inMonth - (inMonth % months));
  return Date.UTC(inYear - (inYear % (months / 12)), 0);
}

function next(time: Instant, { hours, months }: typeof LONGEST): Instant {
  const date = new Date(time);
  return hours > 0 ? time + hours * HOUR_MS : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}
