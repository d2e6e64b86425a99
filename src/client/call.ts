/** One call of an operation: its attempts until one is final or the time is over, and what it gives: a record, a list, a redirect. */
import {
  type Answer,
  findWait,
  mayRepeat,
  NO_ANSWER,
  NoAnswer,
  type Outcome,
  outcomeOf,
  type RetryPolicy,
  readAnswer,
} from "./answer.ts";
import { type CallFacts, type Problem, TimeoutError } from "./errors.ts";
import type { RedirectRecord, RedirectRefusal } from "./records.ts";
import { makeRequest, nameOf, type Operation, prepare, send } from "./request.ts";
import { readTimeout, type Settings } from "./settings.ts";

/** What a call can have beside its parameters. */
export interface CallOptions {
  /** Ends the call, also while it waits; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds for all attempts, in the place of the client's own. */
  readonly timeout?: number;
  /** The bank's own name for what it is doing: 1 to 128 printable ASCII characters, logged by the service. */
  readonly transactionReference?: string;
}

/** What all calls of a client share. */
export interface Connection {
  readonly settings: Settings;
  readonly policy: RetryPolicy;
}

/** Throws what errors.ts has, the signal's reason, and `TypeError` for what cannot be sent. */
export async function callOperation(
  { settings, policy }: Connection,
  operation: Operation,
  parameters: object,
  { signal, timeout = settings.timeout, transactionReference }: CallOptions = {},
): Promise<Answer> {
  const { headers, ...rest } = makeRequest(operation, { ...parameters });
  const request = prepare(settings, {
    ...rest,
    headers: { ...headers, transaction_reference: transactionReference },
  });
  let attempts = 0;
  const factsOf = (outcome: Outcome): CallFacts => ({
    operation: nameOf(operation),
    attempts,
    retry: adviseRetry(operation, outcome),
  });
  const deadline = new Deadline(
    readTimeout(timeout),
    signal,
    () => new TimeoutError(`no answer within ${timeout} ms`, factsOf(NO_ANSWER)),
  );
  try {
    for (;;) {
      attempts++;
      const result = await deadline
        .within((ending) => send(settings, request, ending))
        .catch((cause: unknown) => {
          if (deadline.signal.aborted) throw deadline.signal.reason;
          return new NoAnswer(settings.baseUrl, cause);
        });
      const outcome = outcomeOf(result);
      const wait = findWait(policy, operation.repeat, attempts, outcome);
      if (wait === null || wait >= deadline.remaining) return readAnswer(result, operation, factsOf(outcome));
      await deadline.wait(wait);
    }
  } finally {
    deadline.end();
  }
}

/** For the caller, who may also send a code again if the answer says that no token was issued for it. */
function adviseRetry({ repeat }: Operation, outcome: Outcome): CallFacts["retry"] {
  if (!mayRepeat(repeat === "never" ? "unless_done" : repeat, outcome)) return "never";
  return outcome.retryAfter === null ? "now" : "after";
}

/** The member `data` of an answer. */
export async function readData<Data>(...call: Parameters<typeof callOperation>): Promise<Data> {
  return (await callOperation(...call)).body["data"] as Data;
}

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

  /** Waits. No timer is left when the call ends before: it would keep a process alive. */
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

/**
 * A refusal is a result, not an exception: the PSP has to learn of it by the redirect, exactly as of a code (RFC 6749
 * section 4.1.2.1). So a bank that looks at nothing else sends the browser to `redirect_uri.full_uri`, and is right.
 */
export type Authorization =
  | { readonly granted: true; readonly redirect_uri: RedirectRecord }
  | {
      readonly granted: false;
      readonly redirect_uri: RedirectRefusal;
      /** For the bank's own log; the PSP gets OAuth's `error` and `error_description`. */
      readonly errors: readonly Problem[];
    };

export async function authorize(
  connection: Connection,
  operation: Operation,
  parameters: object,
  options?: CallOptions,
): Promise<Authorization> {
  const { status, body } = await callOperation(connection, operation, parameters, options);
  const { redirect_uri } = body["data"] as { redirect_uri: never };
  return status === operation.accept
    ? { granted: false, redirect_uri, errors: body["errors"] as Problem[] }
    : { granted: true, redirect_uri };
}

export interface Page<Record> {
  readonly data: readonly Record[];
  /** The parameter `cursor` of the next page; null on the last one. */
  readonly next_cursor: string | null;
}

/**
 * `await listing` is the first page, `for await (const record of listing)` all records, one request for each page.
 * Nothing is sent before.
 */
export class Listing<Record, Shown extends Page<Record> = Page<Record>>
  implements PromiseLike<Shown>, AsyncIterable<Record>
{
  readonly #fetchPage: (cursor: string | undefined) => Promise<Shown>;
  readonly #first: string | undefined;

  /** `first`: the cursor to begin with, if any. */
  constructor(fetchPage: (cursor: string | undefined) => Promise<Shown>, first: string | undefined) {
    this.#fetchPage = fetchPage;
    this.#first = first;
  }

  // biome-ignore lint/suspicious/noThenProperty: a listing is awaited for its first page
  then<Kept = Shown, Failed = never>(
    kept?: ((page: Shown) => Kept | PromiseLike<Kept>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Kept | Failed> {
    return this.#fetchPage(this.#first).then(kept, failed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Record, void, undefined> {
    for (let cursor = this.#first; ; ) {
      const page = await this.#fetchPage(cursor);
      yield* page.data;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }
}

/** Of an answer whose body has `data`, and `next_cursor` unless it is the last page. */
export async function readPage<Record>(answer: Promise<Answer>): Promise<Page<Record>> {
  const { data, next_cursor } = (await answer).body;
  return { data: data as Record[], next_cursor: (next_cursor as string | undefined) ?? null };
}
