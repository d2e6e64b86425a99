/** The load generator as the bench sees it: a process of its own, which does one thing for each message. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { MixSlice, MixTask } from "./load-slice.ts";
import type { Call, Route } from "./routes.ts";

/** A turn of a route. */
export interface Turn extends Pick<Route, "name" | "method" | "status" | "url"> {
  readonly calls: readonly Call[];
  /** Each call at most once; the turn ends when all are sent. */
  readonly once: boolean;
  /** The call with which it begins. */
  readonly first: number;
  readonly seconds: number;
  readonly captures: string | null;
}

export interface TurnResult {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly captured: readonly string[];
}

/** Turns of routes, or the banks of the mixed load: made by `task`, they act for some seconds at each message. */
export type Message = Turn | { readonly task: MixTask } | { readonly act: number };

export class LoadGenerator {
  readonly #process: ChildProcess;

  constructor() {
    this.#process = fork(join(import.meta.dirname, "generator.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Throws when an answer had another status than it should: that would measure an error page. */
  async run(turn: Turn): Promise<TurnResult> {
    return await this.#ask<TurnResult>(turn, turn.name);
  }

  makeBanks = (task: MixTask): Promise<object> => this.#ask({ task }, "mixed load");
  act = (seconds: number): Promise<MixSlice> => this.#ask<MixSlice>({ act: seconds }, "mixed load");

  async #ask<Result extends object>(message: Message, name: string): Promise<Result> {
    this.#process.send(message);
    const race = new AbortController();
    const wait = (event: string) => once(this.#process, event, race);
    const [answer] = (await Promise.race([
      wait("message"),
      wait("exit").then(() => [{ error: "the load generator ended" }]),
    ])) as [Result | { readonly error: string }];
    // the listener of the other event goes, and its promise is nobody's
    race.abort();
    if ("error" in answer) throw new Error(`${name}: ${answer.error}`);
    return answer;
  }

  stop(): void {
    this.#process.kill();
  }
}
