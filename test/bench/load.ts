/** The load generator as the bench sees it: a process of its own, which sends the calls of one route for a turn. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface Call {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface Route {
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly status: number;
  /** Where the Worker serves that is asked. */
  readonly url: string;
  /** Sent over and over; or made of what another route was answered in this round, and then each is sent once. */
  readonly calls: readonly Call[] | { readonly from: Route; readonly make: (captured: string) => Call };
  /** What of an answer another route needs: the first group of this pattern. Its turn is a little longer. */
  readonly captures?: string;
  /** Before each turn, outside the measured time. */
  readonly before?: () => Promise<void>;
}

/** What the process is to do. */
export interface Turn extends Pick<Route, "name" | "method" | "status" | "url"> {
  readonly calls: readonly Call[];
  /** Each call at most once; the turn ends when all are sent. */
  readonly once: boolean;
  /** The call with which it begins. */
  readonly first: number;
  readonly seconds: number;
  readonly captures: string | null;
}

/** What it answers. */
export interface TurnResult {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly captured: readonly string[];
}

export class LoadGenerator {
  readonly #process: ChildProcess;

  constructor() {
    this.#process = fork(join(import.meta.dirname, "load-process.ts"), {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  }

  /** Throws when an answer had another status than it should: that would measure an error page. */
  async run(turn: Turn): Promise<TurnResult> {
    this.#process.send(turn);
    const race = new AbortController();
    const wait = (event: string) => once(this.#process, event, race);
    const [answer] = (await Promise.race([
      wait("message"),
      wait("exit").then(() => [{ error: "the load generator ended" }]),
    ])) as [TurnResult | { readonly error: string }];
    // the listener of the other event goes, and its promise is nobody's
    race.abort();
    if ("error" in answer) throw new Error(`${turn.name}: ${answer.error}`);
    return answer;
  }

  stop(): void {
    this.#process.kill();
  }
}
