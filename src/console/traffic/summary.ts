/** A ledger's counts, added up as the page of traffic shows them. Pure. */

import type { TrafficCount } from "../../evidence/ledger/traffic.ts";
import { addLatencies, type Latencies, NO_LATENCIES, percentileOf } from "../../evidence/ledger/traffic.ts";
import type { Whose } from "../../http/errors/entry.ts";
import { isErrorCode } from "../../http/errors/error-response.ts";
import { nameDay } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { REMEDIES } from "../remedies.ts";

interface EndpointRow {
  readonly endpoint: string;
  readonly requests: number;
  /** Those whose outcome is not `ok`, by the decision: a check that allowed nothing is among them. */
  readonly refused: number;
  /** Upper bounds in milliseconds of the bucket in which half and 95 of 100 requests end. */
  readonly p50: number;
  readonly p95: number;
}

interface OutcomeRow {
  readonly outcome: string;
  readonly requests: number;
}

export interface Bar {
  readonly start: Instant;
  readonly requests: number;
  readonly refused: number;
}

export interface Summary {
  readonly requests: number;
  readonly refused: number;
  /** The busiest first. */
  readonly endpoints: readonly EndpointRow[];
  /** Without `ok`, the most frequent first. */
  readonly outcomes: readonly OutcomeRow[];
  /** One for each hour or day of the span, whether or not there was a request. */
  readonly bars: readonly Bar[];
}

const HOUR_MS = 3_600_000;
const STEPS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;

const sum = (counts: readonly { readonly requests: number }[]): number =>
  counts.reduce((total, { requests }) => total + requests, 0);
const byRequests = (a: { readonly requests: number }, b: { readonly requests: number }): number =>
  b.requests - a.requests;
const isRefused = ({ outcome }: { readonly outcome: string }): boolean => outcome !== "ok";

/** Who can end the error: http/errors/entry.ts. Null for a code that this release does not have. */
export const whoseIs = (outcome: string): Whose | null => (isErrorCode(outcome) ? REMEDIES[outcome].whose : null);

export function summarise(counts: readonly TrafficCount[], span: Span): Summary {
  const refused = counts.filter(isRefused);
  return {
    requests: sum(counts),
    refused: sum(refused),
    endpoints: [...Map.groupBy(counts, ({ endpoint }) => endpoint)].map(describeEndpoint).sort(byRequests),
    outcomes: countOutcomes(refused),
    bars: drawBars(counts, span),
  };
}

function describeEndpoint([endpoint, counts]: [string, TrafficCount[]]): EndpointRow {
  const ms = counts.reduce<Latencies>((all, each) => addLatencies(all, each.ms), NO_LATENCIES);
  const [p50, p95] = [percentileOf(ms, 0.5) ?? 0, percentileOf(ms, 0.95) ?? 0];
  return { endpoint, requests: sum(counts), refused: sum(counts.filter(isRefused)), p50, p95 };
}

const countOutcomes = (counts: readonly OutcomeRow[]): OutcomeRow[] =>
  [...Map.groupBy(counts, ({ outcome }) => outcome)]
    .map(([outcome, group]) => ({ outcome, requests: sum(group) }))
    .sort(byRequests);

function drawBars(counts: readonly TrafficCount[], { from, to, step }: Span): Bar[] {
  const unit = STEPS_MS[step];
  const groups = Map.groupBy(counts, ({ start }) => Math.floor((start - from) / unit));
  return Array.from({ length: Math.ceil((to - from) / unit) }, (_, i) => {
    const group = groups.get(i) ?? [];
    return { start: from + i * unit, requests: sum(group), refused: sum(group.filter(isRefused)) };
  });
}

/** A number of requests, for people. */
export const count = (number: number): string => number.toLocaleString("en");

export const SPANS = ["hour", "day", "month"] as const;
type SpanName = (typeof SPANS)[number];

export interface Span {
  readonly name: SpanName;
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  /** What a bar of the picture stands for. */
  readonly step: "hour" | "day";
}

const DAY_MS = 24 * HOUR_MS;
const startOf = (time: Instant, unit: number): Instant => Math.floor(time / unit) * unit;

/** At least as long as its name says, and at most one hour or day longer. */
export function readSpan(name: string | undefined, now: Instant): Span {
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
