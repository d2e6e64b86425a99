/** What is measured in one go: routes that run side by side, and which of them are compared. */
import type { Route } from "./load.ts";
import type { Goal } from "./paired.ts";

export interface Comparison {
  readonly of: Route;
  readonly to: Route;
  /** Of processor time; null where the figures are only printed. */
  readonly goal: Goal | null;
}

export interface Group {
  readonly title: string;
  /** Where the usual ones are too short. */
  readonly secondsPerTurn?: number;
  /** Of each route before the first round, where the usual ones are too short. */
  readonly warmingSeconds?: number;
  /**
   * The steps of a round, one after another. The routes of a step are compared with each other: they run moments apart,
   * forwards and backwards in turn. A step may send what routes of an earlier one were answered.
   */
  readonly steps: readonly (readonly Route[])[];
  readonly comparisons: readonly Comparison[];
  /** What the figures do and do not say. */
  readonly notes: readonly string[];
}
