/**
 * Which code ran, by V8's own counters (node:inspector): what is imported after its start is counted block by block. So
 * an input that reaches something new is known, and so is how much work it was.
 */
import { Session } from "node:inspector";
import { pathToFileURL } from "node:url";

const ROOT = pathToFileURL(`${import.meta.dirname}/../../`).href;
/** The service, and the packages in it. */
const COUNTED = [`${ROOT}src/`, `${ROOT}node_modules/`, `${ROOT}test/unit/fuzz/`];

interface FunctionCoverage {
  readonly functionName: string;
  readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
}
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly FunctionCoverage[];
}

export interface Taken {
  /** Characters of code that never ran before. */
  readonly fresh: number;
  /** How often blocks ran. */
  readonly steps: number;
}

export class Coverage {
  readonly #session = new Session();
  /** By function: its characters that ran once. */
  readonly #ran = new Map<string, Uint8Array>();

  /** From here on what is imported is counted. */
  start(): void {
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** What ran since the last call. With `learn` false it stays new. */
  take(learn = true): Taken {
    let [fresh, steps] = [0, 0];
    for (const { url, functions } of this.#post("Profiler.takePreciseCoverage").result) {
      if (!COUNTED.some((folder) => url.startsWith(folder))) continue;
      for (const each of functions) {
        for (const { count } of each.ranges) steps += count;
        fresh += this.#compare(url, each, learn);
      }
    }
    return { fresh, steps };
  }

  /** A later range lies within an earlier one, and says otherwise. */
  #compare(url: string, { functionName, ranges }: FunctionCoverage, learn: boolean): number {
    const [whole] = ranges;
    if (!whole) return 0;
    const { startOffset: from, endOffset } = whole;
    const key = `${url} ${functionName} ${from}`;
    const known = this.#ran.get(key) ?? new Uint8Array(endOffset - from);
    const now = new Uint8Array(endOffset - from);
    for (const range of ranges) now.fill(range.count > 0 ? 1 : 0, range.startOffset - from, range.endOffset - from);
    let fresh = 0;
    for (let i = 0; i < now.length; i++) {
      if (now[i] === 0 || known[i] === 1) continue;
      if (learn) known[i] = 1;
      fresh++;
    }
    this.#ran.set(key, known);
    return fresh;
  }

  #post(method: string, parameters: object = {}): { readonly result: readonly ScriptCoverage[] } {
    let answer: unknown;
    let fault: Error | null = null;
    // answers before it returns: the session is of this thread
    this.#session.post(method, parameters, (error, result) => {
      fault = error;
      answer = result;
    });
    if (fault) throw fault;
    return answer as { readonly result: readonly ScriptCoverage[] };
  }
}
