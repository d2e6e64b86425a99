/** Says on the terminal how far the run is: one line that is written anew, or a line every ten seconds in a file. */
import type { Progress } from "./generator-messages.ts";

const TERMINAL_MILLISECONDS = 500;
const FILE_MILLISECONDS = 10_000;

/** `total`: seconds of load. The rate is that since the line before. */
export function makeTicker(total: number, readProgress: () => Progress) {
  const terminal = process.stdout.isTTY;
  let base = 0;
  let resumed: number | null = null;
  let before = { requests: 0, seconds: 0 };
  const elapsed = () => base + (resumed === null ? 0 : (performance.now() - resumed) / 1_000);
  const show = () => {
    const [{ requests, wrong, serverErrors }, seconds] = [readProgress(), elapsed()];
    const rate = (requests - before.requests) / Math.max(0.001, seconds - before.seconds);
    if (resumed === null) return;
    before = { requests, seconds };
    const line = `${Math.round(seconds)} of ${Math.round(total)} s, ${requests} requests, ${Math.round(rate)}/s, ${wrong} wrong, ${serverErrors} 5xx`;
    if (terminal) process.stdout.write(`\r\u001b[K${line}`);
    else console.log(line);
  };
  const timer = setInterval(show, terminal ? TERMINAL_MILLISECONDS : FILE_MILLISECONDS);
  return {
    /** `seconds`: of load so far. */
    resume(seconds: number) {
      base = seconds;
      resumed = performance.now();
    },
    pause() {
      base = elapsed();
      resumed = null;
    },
    end() {
      clearInterval(timer);
      if (terminal) process.stdout.write("\n");
    },
  };
}
