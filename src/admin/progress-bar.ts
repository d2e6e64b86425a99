/** A progress bar on a terminal. Prints nothing if the output is a file or a pipe. */
import { clock } from "../clock.ts";

const WIDTH = 30;
/** Shortest time between two updates. */
const INTERVAL_MS = 100;

export interface ProgressBar {
  /** `of`: null if the total is not known. */
  readonly show: (done: number, of: number | null) => void;
  readonly clear: () => void;
}

export function makeProgressBar(label: string, output: NodeJS.WriteStream = process.stderr): ProgressBar {
  let shownAt = Number.NEGATIVE_INFINITY;
  const show = (done: number, of: number | null) => {
    if (!output.isTTY || clock.now() - shownAt < INTERVAL_MS) return;
    shownAt = clock.now();
    output.write(`\r\x1b[K${label} ${drawProgress(done, of)}`);
  };
  const clear = () => {
    if (output.isTTY && shownAt > Number.NEGATIVE_INFINITY) output.write("\r\x1b[K");
  };
  return { show, clear };
}

/** `[#####     ]  50%`, or a count if the total is not known. */
export function drawProgress(done: number, of: number | null): string {
  if (of === null || of <= 0) return `${done}`;
  const share = Math.min(1, done / of);
  const filled = Math.round(share * WIDTH);
  return `[${"#".repeat(filled)}${" ".repeat(WIDTH - filled)}] ${String(Math.floor(share * 100)).padStart(3)}%`;
}
