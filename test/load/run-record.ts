/** What a run has counted so far. Plain data: threads send theirs, and one adds them up. */
import { addHistogram, type LatencyHistogram, makeHistogram } from "./latency-histogram.ts";
import { ACTION_KINDS, type ActionKind } from "./mix.ts";

const SHOWN_WRONG_ANSWERS = 10;

export interface RunRecord {
  readonly latencies: Readonly<Record<ActionKind, LatencyHistogram>>;
  readonly actions: Record<ActionKind, number>;
  requests: number;
  serverErrors: number;
  wrong: number;
  /** The first ones: which request, and what differed. */
  readonly firstWrong: string[];
}

export const makeRecord = (): RunRecord => ({
  latencies: ofEachKind(makeHistogram),
  actions: ofEachKind(() => 0),
  requests: 0,
  serverErrors: 0,
  wrong: 0,
  firstWrong: [],
});

function ofEachKind<Value>(make: () => Value): Record<ActionKind, Value> {
  return Object.fromEntries(ACTION_KINDS.map((kind) => [kind, make()])) as Record<ActionKind, Value>;
}

export function noteWrong(run: RunRecord, sentence: string): void {
  run.wrong++;
  if (run.firstWrong.length < SHOWN_WRONG_ANSWERS) run.firstWrong.push(sentence);
}

export function addRecord(to: RunRecord, other: RunRecord): void {
  for (const kind of ACTION_KINDS) {
    addHistogram(to.latencies[kind], other.latencies[kind]);
    to.actions[kind] += other.actions[kind];
  }
  to.requests += other.requests;
  to.serverErrors += other.serverErrors;
  to.wrong += other.wrong;
  to.firstWrong.push(...other.firstWrong.slice(0, SHOWN_WRONG_ANSWERS - to.firstWrong.length));
}
