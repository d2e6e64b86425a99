/** The end of one call: its timeout, or the caller's `AbortSignal`, whichever comes first. */

/** Not `AbortSignal.any` and `timeout`: Node 20.0 lacks the one, and both stay in memory until the signal ends. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  /** On the monotonic clock: setting the machine's clock does not matter. */
  readonly #endsAt: number;
  readonly #caller: AbortSignal | undefined;
  readonly #abort: () => void;
  readonly #aborted: Promise<never>;

  /** `makeTimeout` makes what is thrown after `timeout` milliseconds. */
  constructor(timeout: number, caller: AbortSignal | undefined, makeTimeout: () => Error) {
    const { signal } = this.#controller;
    this.#endsAt = performance.now() + timeout;
    this.#timer = setTimeout(() => this.#controller.abort(makeTimeout()), timeout);
    this.#caller = caller;
    this.#abort = () => this.#controller.abort(caller?.reason);
    this.#aborted = new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    // nobody may be waiting when it comes
    this.#aborted.catch(() => {});
    if (caller?.aborted) this.#abort();
    else caller?.addEventListener("abort", this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds until the timeout. */
  get remaining(): number {
    return this.#endsAt - performance.now();
  }

  /** Ends with `work`, or throws the timeout or the caller's reason, even if `work` knows no signals. */
  async within<Result>(work: (signal: AbortSignal) => Result | Promise<Result>): Promise<Result> {
    this.signal.throwIfAborted();
    return Promise.race([work(this.signal), this.#aborted]);
  }

  /** Waits. No timer stays behind when the call ends before: it would keep a process alive. */
  async wait(milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await this.within(
        () =>
          new Promise<void>((resolve) => {
            timer = setTimeout(resolve, milliseconds);
          }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Frees the timer and the caller's signal. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#abort);
  }
}
