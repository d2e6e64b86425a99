/** Who may see what until when: a bar for each permission, from its beginning to its end, on one scale. */
import type { PermissionRecord } from "../../http/answers/consent.ts";
import { placeOf } from "../check/time-line.tsx";
import { writeDay, writeTime } from "../times.ts";
import { listTicks, scaleOf } from "./time-scale.ts";

/** The narrowest bar that is still seen, in percent of the width. */
const MIN_WIDTH = 0.8;
const percent = (value: number): string => `${value.toFixed(2)}%`;

const DOES = { accounts: "sees the account", payments: "pays from the account" } as const;
const DID = { accounts: "saw the account", payments: "could pay from the account" } as const;

/** Milliseconds since 1970; null: no end is known. */
const endOf = ({ ended_at, valid_until }: PermissionRecord): number | null => {
  const end = ended_at ?? valid_until;
  return end === null ? null : Date.parse(end);
};

export function PermissionTimeLine({ records, now }: { records: readonly PermissionRecord[]; now: number }) {
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
                  {writeSpan(from, to)}
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
      <svg class="axis" width="100%" height="20" aria-hidden="true" focusable="false">
        {listTicks(scale).map(({ time, label }) => {
          const place = placeOf(time, scale);
          const x = percent(place);
          return (
            <>
              <line class="tick" x1={x} x2={x} y1="0" y2="4" />
              <text x={x} y="16" text-anchor={place < 8 ? "start" : place > 92 ? "end" : "middle"}>
                {label}
              </text>
            </>
          );
        })}
      </svg>
      <p class="muted small">
        The line through all bars is now, {writeTime(now)}. A thin bar is a permission that has ended.
      </p>
    </>
  );
}

const DAY_MS = 86_400_000;

function writeSpan(from: number, to: number | null): string {
  if (to === null) return `since ${writeDay(from)}, open ended`;
  return to - from < 3 * DAY_MS ? `${writeTime(from)} to ${writeTime(to)}` : `${writeDay(from)} to ${writeDay(to)}`;
}
