/** A ledger's counts as files have them: requests by hour or day, endpoint and outcome; refusals by day, PSP and outcome. */
import { percentileOf, type RefusalCount, type TrafficCount, UNVERIFIED } from "../../evidence/ledger/traffic.ts";
import { explainOutcome } from "../evidence/record-words.ts";
import type { ListFile } from "../list-file.tsx";

/** The bucket's upper bound; of the last one, which has none, what it is above. */
function writePercentile({ ms }: TrafficCount, share: number): number | string | null {
  const bound = percentileOf(ms, share);
  return bound === Number.POSITIVE_INFINITY ? "more than 10000" : bound;
}

export const requestList = (rows: readonly TrafficCount[]): ListFile<TrafficCount> => ({
  name: "traffic",
  columns: {
    from: ({ start }) => new Date(start).toISOString(),
    span: ({ span }) => span,
    endpoint: ({ endpoint }) => endpoint,
    outcome: ({ outcome }) => outcome,
    meaning: ({ outcome }) => explainOutcome(outcome),
    requests: ({ requests }) => requests,
    p50_ms: (count) => writePercentile(count, 0.5),
    p95_ms: (count) => writePercentile(count, 0.95),
  },
  read: async () => ({ rows: rows.toSorted((a, b) => b.start - a.start), next: null }),
});

export const refusalList = (rows: readonly RefusalCount[]): ListFile<RefusalCount> => ({
  name: "refusals",
  columns: {
    day: ({ day }) => day,
    psp: ({ psp }) => (psp === UNVERIFIED ? "not vouched for" : psp),
    outcome: ({ outcome }) => outcome,
    meaning: ({ outcome }) => explainOutcome(outcome),
    requests: ({ requests }) => requests,
  },
  read: async () => ({ rows: rows.toSorted((a, b) => (a.day < b.day ? 1 : -1)), next: null }),
});
