/** A time line: the certificate's validity, what the trusted list says of its issuer, the answers on revocation. */

import type { Instant } from "../../platform/instant.ts";
import { Time } from "../elements.tsx";
import { writeDay } from "../wording.ts";
import type { CheckResult } from "./kept-checks.ts";

export interface Span {
  readonly label: string;
  /** Null: no end is known. */
  readonly from: Instant;
  readonly to: Instant | null;
  readonly look: "yes" | "no" | "plain";
}

export interface TimeScale {
  readonly start: Instant;
  readonly end: Instant;
}

/** Room at both ends, as a part of the certificate's period. */
const MARGIN = 0.08;
/** The narrowest bar that is still seen, in percent of the width. */
export const MIN_WIDTH = 0.8;

/** The certificate's period and the instant of the check, with a margin. What is outside is cut. */
export function scaleFor({ notBefore, notAfter }: CheckResult["certificate"], at: Instant): TimeScale {
  const [first, last] = [Math.min(notBefore, at), Math.max(notAfter, at)];
  const margin = Math.max(last - first, 1) * MARGIN;
  return { start: first - margin, end: last + margin };
}

/** All periods that a check is based on. */
export function listSpans({ certificate, periods, answer, doubts = [] }: CheckResult, at: Instant): Span[] {
  const { anchor, revocation = [], path = [] } = answer.evidence ?? {};
  const { notBefore, notAfter } = certificate;
  const isRevoked = doubts.some((doubt) => doubt.certificate === certificate.sha256 && doubt.status === "revoked");
  const isGood = at >= notBefore && at <= notAfter && !isRevoked;
  const statuses = periods.map(({ status, from }, i): Span => {
    const next = periods[i + 1];
    const look = status === "granted" ? "yes" : "no";
    return {
      label: `Issuer's status: ${status}`,
      from: Date.parse(from),
      to: next ? Date.parse(next.from) : null,
      look,
    };
  });
  const listed = anchor?.listIssuedAt ?? null;
  return [
    {
      ...{ label: isRevoked ? "Certificate, revoked" : "Certificate", from: notBefore, to: notAfter },
      look: isGood ? "yes" : "no",
    },
    ...statuses,
    ...(anchor && listed !== null
      ? [
          {
            label: "Trusted list",
            from: Date.parse(listed),
            to: parseEnd(anchor.listNextUpdate),
            look: "plain" as const,
          },
        ]
      : []),
    ...revocation.map(({ certificate: sha256, source, producedAt, nextUpdate }): Span => {
      const place = path.findIndex((each) => each.sha256 === sha256);
      const label = `${source} on ${place <= 0 ? "the certificate" : `issuer ${place}`}`;
      return { label, from: Date.parse(producedAt), to: parseEnd(nextUpdate), look: "plain" };
    }),
  ];
}

const parseEnd = (instant: string | null): Instant | null => (instant === null ? null : Date.parse(instant));

export const percent = (value: number): string => `${value.toFixed(2)}%`;

/** Percent of the width from the left, between 0 and 100. */
export const placeOf = (time: Instant, { start, end }: TimeScale): number =>
  Math.min(100, Math.max(0, (100 * (time - start)) / (end - start)));

/** The starts of years on the scale; of every second, fifth, ... where they would be too close. */
export function listYears({ start, end }: TimeScale): number[] {
  const [first, last] = [new Date(start).getUTCFullYear() + 1, new Date(end).getUTCFullYear()];
  const step = [1, 2, 5, 10, 20, 50, 100].find((each) => (last - first) / each <= 6) ?? 1000;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i).filter((year) => year % step === 0);
}

export function TimeLine({ finding, at, now }: { finding: CheckResult; at: Instant; now: Instant }) {
  const scale = scaleFor(finding.certificate, at);
  const here = percent(placeOf(at, scale));
  return (
    <>
      <ul class="spans">
        {listSpans(finding, at).map(({ label, from, to, look }) => {
          const [left, right] = [placeOf(from, scale), placeOf(to ?? scale.end, scale)];
          const width = Math.max(right - left, MIN_WIDTH);
          const hidden = to !== null && to < scale.start;
          return (
            <li>
              <p>
                {label}{" "}
                <span class="muted">
                  <Period from={from} to={to} />
                </span>
              </p>
              <svg class="span" width="100%" height="14" aria-hidden="true" focusable="false">
                <rect class="ground" width="100%" height="14" rx="3" />
                {!hidden && (
                  <rect
                    class={look}
                    x={percent(Math.min(left, 100 - MIN_WIDTH))}
                    width={percent(width)}
                    y="2"
                    height="10"
                    rx="2"
                  />
                )}
                <line class="edge" x1={here} x2={here} y1="0" y2="14" />
                <line class="here" x1={here} x2={here} y1="0" y2="14" />
              </svg>
            </li>
          );
        })}
      </ul>
      <Axis ticks={listYears(scale).map((year) => ({ time: Date.UTC(year), label: String(year) }))} scale={scale} />
      <p class="muted small">
        The line through all bars is {at === now ? "the time of the check" : "the instant at which is checked"},{" "}
        <Time at={at} />.
      </p>
    </>
  );
}

export interface Tick {
  readonly time: Instant;
  readonly label: string;
}

export const Axis = ({ ticks, scale }: { ticks: readonly Tick[]; scale: TimeScale }) => (
  <svg class="axis" width="100%" height="20" aria-hidden="true" focusable="false">
    {ticks.map(({ time, label }) => {
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
);

const DAY_MS = 86_400_000;

/** Days; of a span that is shorter than three, also the time of day. */
export function Period({ from, to }: { from: Instant; to: Instant | null }) {
  if (to === null) return <>since {writeDay(from)}</>;
  if (to - from >= 3 * DAY_MS) return <>{`${writeDay(from)} to ${writeDay(to)}`}</>;
  return (
    <>
      <Time at={from} /> to <Time at={to} />
    </>
  );
}
