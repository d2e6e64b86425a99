/** What the run's process says to the load generator and back, and the generator to its threads and back. */
import type { RunRecord } from "./run-record.ts";
import type { World } from "./world/certificates.ts";

/** Of a thread: the banks with these numbers. */
export interface GeneratorTask {
  readonly url: string;
  readonly world: World;
  readonly seed: number;
  readonly banks: readonly number[];
  readonly largeHeaders: boolean;
}

/** The generator begins as paused. After `pause` it finishes what it has begun, and says `paused`. */
export type Command = "resume" | "pause" | "stop";

export interface Progress {
  readonly requests: number;
  readonly wrong: number;
  readonly serverErrors: number;
}

export type GeneratorMessage =
  | { readonly is: "ready" }
  | { readonly is: "progress"; readonly progress: Progress }
  | { readonly is: "paused" }
  | { readonly is: "stopped"; readonly run: RunRecord; readonly processorSeconds: number };
