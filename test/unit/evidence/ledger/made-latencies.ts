/** The latencies of requests that took so many milliseconds. */
import { countLatency, type Latencies, NO_LATENCIES } from "../../../../src/evidence/ledger/traffic.ts";

export function countAll(...times: readonly number[]): Latencies {
  const latencies = [...NO_LATENCIES];
  for (const ms of times) countLatency(latencies, ms);
  return latencies;
}
