/** A ledger's counts as the page of traffic adds them up, and the spans that it asks for. */
import { expect, test } from "vitest";
import { readSpan, summarise } from "../../../src/console/traffic/summary.ts";
import type { TrafficCount } from "../../../src/evidence/ledger/traffic.ts";
import { UNVERIFIED } from "../../../src/evidence/ledger/traffic.ts";
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

test("the PSPs that were refused most are not charged with mistakes of the bank's own system, its blocks or our faults", () => {
  const refusal = (psp: string, outcome: string, requests: number) => ({ day: "2026-11-22", psp, outcome, requests });
  const { psps, notTheirs } = summarise(
    {
      counts: [],
      refusals: [
        refusal("A", "certificate_expired", 1),
        refusal("A", "content_type_invalid", 50),
        refusal("B", "account_id_mismatch", 70),
        refusal("B", "consent_of_another_account", 3),
        refusal("C", "qtsp_invalid", 2),
        refusal("C", "account_blocked", 9),
        refusal("C", "temporarily_unavailable", 8),
      ],
    },
    readSpan("hour", NOW),
  );
  expect(psps.map(({ psp, requests }) => [psp, requests])).toEqual([
    ["C", 2],
    ["A", 1],
  ]);
  expect(notTheirs).toEqual([
    { whose: "caller", requests: 123 },
    { whose: "bank", requests: 9 },
    { whose: "service", requests: 8 },
  ]);
});

test("percentiles are of all outcomes and hours of an endpoint; bars stand where their hour is", () => {
  const span = readSpan("hour", NOW);
  const times = Array.from({ length: 18 }, () => 3);
  const summary = summarise(
    {
      counts: [
        counted(span.from, "ok", times),
        counted(span.from + HOUR_MS, "certificate_expired", [80, 90]),
        counted(span.from + HOUR_MS, "ok", [20_000], "POST /v1/psp/checks"),
      ],
      refusals: [
        { day: "2026-11-21", psp: "A", outcome: "certificate_expired", requests: 1 },
        { day: "2026-11-22", psp: "A", outcome: "code_used", requests: 2 },
        { day: "2026-11-22", psp: "A", outcome: "certificate_expired", requests: 4 },
        { day: "2026-11-22", psp: "B", outcome: "code_used", requests: 6 },
        { day: "2026-11-22", psp: "C", outcome: "code_used", requests: 9 },
        { day: "2026-11-22", psp: UNVERIFIED, outcome: "code_used", requests: 99 },
      ],
    },
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
  expect(summary.psps).toEqual([
    { psp: null, requests: 99, reasons: [{ outcome: "code_used", requests: 99 }] },
    { psp: "C", requests: 9, reasons: [{ outcome: "code_used", requests: 9 }] },
    {
      ...{ psp: "A", requests: 7 },
      reasons: [
        { outcome: "certificate_expired", requests: 5 },
        { outcome: "code_used", requests: 2 },
      ],
    },
    { psp: "B", requests: 6, reasons: [{ outcome: "code_used", requests: 6 }] },
  ]);
});
