/** The client: what a bank's backend asks of the service, one method for each operation of the interface. */
import { Accounts } from "./accounts.ts";
import { Audit } from "./audit.ts";
import { type CallOptions, type Connection, callOperation } from "./call.ts";
import { Deadline } from "./deadline.ts";
import { NetworkError, TimeoutError } from "./errors.ts";
import { OAuth2 } from "./oauth2.ts";
import { Obie } from "./obie.ts";
import type { Operation } from "./operation.ts";
import { Psp } from "./psp.ts";
import type { EventPage, Health, Introspection, ParametersOf, Status } from "./records.ts";
import { readRetryPolicy } from "./retry.ts";
import { type PspGateOptions, readSettings, readTimeout, type Version } from "./settings.ts";
import { prepare, type RawAnswer, type RawRequest, send } from "./transport.ts";

const INTROSPECT: Operation = {
  method: "POST",
  path: "/v1/introspect",
  header: "eidas",
  repeat: "always",
  has: "active",
};
const EVENTS: Operation = {
  method: "GET",
  path: "/v1/events",
  query: ["after", "limit"],
  repeat: "always",
  has: "next_after",
};
const STATUS: Operation = { method: "GET", path: "/status", repeat: "always", has: "status" };
// not repeated: who asks for the health wants to know it now
const HEALTH: Operation = { method: "GET", path: "/health", repeat: "never", has: "status", accept: 503 };

/**
 * A client in the name of one institution. It keeps no state but its options, so one serves a whole process.
 *
 * A method takes all parameters of its operation in one object, spelled as in the interface, whether they travel in the
 * path, the query, a header or the body. Each throws a `CallError`, `TypeError` for what cannot be sent, and the reason
 * of an aborted signal.
 */
export class PspGate<V extends Version = "1"> {
  // private to the engine: neither console.log nor JSON.stringify shows the credentials
  readonly #connection: Connection;
  /** The core flow: the PSP is known by its certificate. */
  readonly oauth2: OAuth2<V>;
  /** The open-banking flow: the PSP is known by its CCG token. */
  readonly obie: Obie<V>;
  /** The PSP checking service. */
  readonly psp: Psp<V>;
  /** What the customer agreed to, and the bank's block of an account. */
  readonly accounts: Accounts;
  /** The ledger of what the institution was answered. */
  readonly audit: Audit;

  /** Throws `TypeError` for options that cannot be right. Sends nothing. */
  constructor(options: PspGateOptions<V>) {
    this.#connection = { settings: readSettings(options), policy: readRetryPolicy(options.retry) };
    this.oauth2 = new OAuth2(this.#connection);
    this.obie = new Obie(this.#connection);
    this.psp = new Psp(this.#connection);
    this.accounts = new Accounts(this.#connection);
    this.audit = new Audit(this.#connection);
  }

  /**
   * `POST /v1/introspect` (RFC 7662): for a resource server, before it serves a request with a bearer token. With the
   * certificate of the PSP that shows the token in `eidas`, a token is active for this PSP only.
   */
  async introspect(parameters: ParametersOf<"introspectToken">, options?: CallOptions): Promise<Introspection> {
    const { body } = await callOperation(this.#connection, INTROSPECT, parameters, options);
    return body as unknown as Introspection;
  }

  /**
   * `GET /v1/events`: what changed of the institution's PSPs, oldest first. Keep `next_after` once the events are handled,
   * and send it as `after` the next time.
   */
  async listEvents(parameters: ParametersOf<"listEvents"> = {}, options?: CallOptions): Promise<EventPage> {
    return (await callOperation(this.#connection, EVENTS, parameters, options)).body as unknown as EventPage;
  }

  /** `GET /status`: what is loaded, how old, the last error of each source. */
  async status(options?: CallOptions): Promise<Status> {
    return (await callOperation(this.#connection, STATUS, {}, options)).body as unknown as Status;
  }

  /** `GET /health`: `up`, `degraded` or `down`, and why. `down` is an answer, too: nothing is thrown for its 503. */
  async health(options?: CallOptions): Promise<Health> {
    return (await callOperation(this.#connection, HEALTH, {}, options)).body as unknown as Health;
  }

  /**
   * Any request in the institution's name, and its answer as it is: nothing is repeated, no status is an error. For what
   * this version of the client does not know. Throws `NetworkError` and `TimeoutError`.
   */
  async request(request: RawRequest, { signal, timeout }: CallOptions = {}): Promise<RawAnswer> {
    const { settings } = this.#connection;
    const prepared = prepare(settings, request);
    const facts = { operation: `${request.method} request`, attempts: 1, retry: "never" } as const;
    const limit = readTimeout(timeout ?? settings.timeout);
    const deadline = new Deadline(limit, signal, () => new TimeoutError(`no answer within ${limit} ms`, facts));
    try {
      return await deadline.within((ending) => send(settings, prepared, ending));
    } catch (cause) {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      throw new NetworkError(`no answer from ${settings.baseUrl}`, facts, { cause });
    } finally {
      deadline.end();
    }
  }
}
