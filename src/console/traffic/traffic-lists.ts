/** A ledger's counts as a file has them: requests by hour or day, endpoint and outcome. */
import { percentileOf, type TrafficCount } from "../../evidence/ledger/traffic.ts";
import { explainOutcome } from "../evidence/record-words.ts";
import { type ListFile, members, writeInstant } from "../list-file.tsx";

/** The bucket's upper bound; of the last one, which has none, what it is above. */
function writePercentile({ ms }: TrafficCount, share: number): number | string | null {
  const bound = percentileOf(ms, share);
  return bound === Number.POSITIVE_INFINITY ? "more than 10000" : bound;
}

export const requestList = (rows: readonly TrafficCount[]): ListFile<TrafficCount> => ({
  name: "traffic",
  columns: {
    from: ({ start }) => writeInstant(start),
    ...members("span", "endpoint", "outcome", "requests"),
    meaning: ({ outcome }) => explainOutcome(outcome),
    p50_ms: (count) => writePercentile(count, 0.5),
    p95_ms: (count) => writePercentile(count, 0.95),
  },
  read: async () => ({ rows: rows.toSorted((a, b) => b.start - a.start), next: null }),
});
