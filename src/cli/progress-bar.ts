/** The progress of long work: a bar on a terminal; into a file or a pipe a line now and then. */
import { clock } from "../platform/clock.ts";

const WIDTH = 30;
/** Shortest time between two updates of the bar, and between two lines. */
const INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 10_000;

export interface ProgressBar {
  /** `of`: null if the total is not known. */
  readonly show: (done: number, of: number | null) => void;
  readonly clear: () => void;
}

export function makeProgressBar(label: string, output: NodeJS.WriteStream = process.stderr): ProgressBar {
  // short work is over before the first line
  let shownAt = output.isTTY ? Number.NEGATIVE_INFINITY : clock.now();
  const show = (done: number, of: number | null) => {
    if (clock.now() - shownAt < (output.isTTY ? INTERVAL_MS : LINE_INTERVAL_MS)) return;
    shownAt = clock.now();
    const drawn = `${label} ${drawProgress(done, of)}`;
    output.write(output.isTTY ? `\r\x1b[K${drawn}` : `${drawn}\n`);
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
