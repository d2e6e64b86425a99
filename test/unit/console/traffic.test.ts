/** A ledger's counts as the page of traffic adds them up, and the spans that it asks for. */
import { expect, test } from "vitest";
import { readSpan, summarise } from "../../../src/console/traffic/summary.ts";
import type { TrafficCount } from "../../../src/evidence/ledger/traffic.ts";
import { countAll } from "../evidence/ledger/made-latencies.ts";

const NOW = Date.parse("2026-11-22T11:36:56Z");
const HOUR_MS = 3_600_000;

test.each([
  ["hour", "2026-11-22T10:00:00.000Z", "hour"],
  ["day", "2026-11-21T11:00:00.000Z", "hour"],
  [undefined, "2026-11-21T11:00:00.000Z", "hour"],
  ["month", "2026-10-23T00:00:00.000Z", "day"],
])("the last %s begins at %s", (name, from, step) => {
  const span = readSpan(name, NOW);
  expect([new Date(span.from).toISOString(), new Date(span.to).toISOString(), span.step]).toEqual([
    from,
    "2026-11-22T12:00:00.000Z",
    step,
  ]);
});

const counted = (
  start: number,
  outcome: string,
  times: readonly number[],
  endpoint = "GET /v1/psp/eidas",
): TrafficCount => ({
  ...{ span: "hour", start, endpoint, outcome, requests: times.length },
  ms: countAll(...times),
});

test("percentiles are of all outcomes and hours of an endpoint; bars stand where their hour is", () => {
  const span = readSpan("hour", NOW);
  const times = Array.from({ length: 18 }, () => 3);
  const summary = summarise(
    [
      counted(span.from, "ok", times),
      counted(span.from + HOUR_MS, "certificate_expired", [80, 90]),
      counted(span.from + HOUR_MS, "ok", [20_000], "POST /v1/psp/checks"),
    ],
    span,
  );
  expect(summary).toMatchObject({
    ...{ requests: 21, refused: 2, outcomes: [{ outcome: "certificate_expired", requests: 2 }] },
    endpoints: [
      { endpoint: "GET /v1/psp/eidas", requests: 20, refused: 2, p50: 5, p95: 100 },
      { endpoint: "POST /v1/psp/checks", requests: 1, refused: 0, p50: Number.POSITIVE_INFINITY },
    ],
    bars: [
      { start: span.from, requests: 18, refused: 0 },
      { start: span.from + HOUR_MS, requests: 3, refused: 2 },
    ],
  });
});
