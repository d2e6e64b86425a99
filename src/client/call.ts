/** One call of an operation: its attempts, until one is final or the time is over. */
import { type Answer, NO_ANSWER, NoAnswer, outcomeOf, readAnswer } from "./answer.ts";
import { Deadline } from "./deadline.ts";
import { type CallFacts, TimeoutError } from "./errors.ts";
import { makeRequest, nameOf, type Operation } from "./operation.ts";
import { findWait, mayRepeat, type Outcome, type RetryPolicy } from "./retry.ts";
import { readTimeout, type Settings } from "./settings.ts";
import { prepare, send } from "./transport.ts";

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
