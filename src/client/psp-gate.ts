/** The client: what a bank's backend asks of the service, one method for each operation of the interface. */
import { Accounts } from "./accounts.ts";
import { readRetryPolicy } from "./answer.ts";
import { Audit } from "./audit.ts";
import { type CallOptions, type Connection, callOperation, Deadline, Listing, readData, readPage } from "./call.ts";
import { NetworkError, type Problem, TimeoutError } from "./errors.ts";
import { OAuth2 } from "./oauth2.ts";
import { Obie } from "./obie.ts";
import type {
  EventPage,
  Health,
  Introspection,
  ParametersOf,
  PspCheck,
  PspChecks,
  SignatureCheck,
  Status,
  Watch,
} from "./records.ts";
import type { Operation } from "./request.ts";
import { prepare, type RawAnswer, type RawRequest, send } from "./request.ts";
import { type PspGateOptions, readSettings, readTimeout, type Version } from "./settings.ts";

const INTROSPECT: Operation = {
  method: "POST",
  path: "/v1/introspect",
  header: "eidas",
  repeat: "always",
  has: "active",
};
const CHALLENGE = "WWW-Authenticate";
const ACCESS: Operation = {
  method: "GET",
  path: "/v1/access",
  header: ["eidas", "access_token"],
  query: ["scope", "permission", "account_id", "standing", "max_age"],
  repeat: "always",
  // a 401 with another challenge is the gateway's own fault, and an empty 200 without the PSP is somebody else's
  isAnswer: ({ status, headers }) =>
    status < 300 ? headers.has("psp-id") : /^Bearer\b/.test(headers.get(CHALLENGE) ?? ""),
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

/** `headers`: `psp-id`, `account-id` and the others that a gateway hands on to its backend. `challenge`: `WWW-Authenticate`. */
export type Access =
  | { readonly allowed: true; readonly headers: Headers }
  | {
      readonly allowed: false;
      /** 401 for the token or its certificate, 403 for what the token lacks. */
      readonly status: number;
      readonly challenge: string;
      readonly errors: readonly Problem[];
    };

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
   * `GET /v1/access`: may this request of a PSP pass? For a gateway; the rule is that of `introspect`. A refusal is a result:
   * it is for the PSP. Whatever is thrown lets nothing pass.
   */
  async checkAccess(parameters: ParametersOf<"checkAccess">, options?: CallOptions): Promise<Access> {
    const { status, headers, body } = await callOperation(this.#connection, ACCESS, parameters, options);
    if (status < 300) return { allowed: true, headers };
    const errors = (body["errors"] ?? []) as Problem[];
    return { allowed: false, status, challenge: headers.get(CHALLENGE) ?? "", errors };
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

const EIDAS = "/v1/psp/eidas";
const CHECKS = "/v1/psp/checks";

const CHECK: Operation = {
  method: "GET",
  path: EIDAS,
  header: "eidas",
  query: ["jurisdiction"],
  repeat: "always",
  has: "eIDAS",
};

/** Repeated, a request for which replay is refused would be one. */
const VERIFY: Operation = {
  method: "POST",
  path: "/v1/psp/signatures",
  header: "eidas",
  repeat: "unless_done",
  has: "signature",
};

// nothing is stored, so a repetition costs no more than its work
const CHECK_MANY: Operation = { method: "POST", path: CHECKS, repeat: "always", has: "data" };

const WATCHES = "/v1/psp/watches";
const WATCH = "/v1/psp/watches/{authorisation_number}";
const LIST_WATCHES: Operation = { method: "GET", path: WATCHES, query: ["cursor"], repeat: "always", has: "data" };
const PUT_WATCH: Operation = { method: "PUT", path: WATCH, repeat: "always", has: "data" };
const DELETE_WATCH: Operation = { method: "DELETE", path: WATCH, repeat: "always" };

export class Psp<V extends Version> {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * `GET /v1/psp/eidas`: four verdicts on the PSP's certificate, and what its home and host registers say. A check that
   * fails is a result. With version `latest` the result has the decision, with its reasons and evidence.
   */
  async check(parameters: ParametersOf<"checkPsp">, options?: CallOptions): Promise<PspCheck<V>> {
    const { body } = await callOperation(this.#connection, CHECK, parameters, options);
    return body as unknown as PspCheck<V>;
  }

  /**
   * `POST /v1/psp/checks`: up to 50 certificates, each for up to 31 jurisdictions. The answer has one element for each, in
   * their order: its `results`, one for each jurisdiction, or its own `errors`. One whose first error is
   * `check_postponed` or `temporarily_unavailable` was not checked: send it again.
   */
  checkMany(parameters: ParametersOf<"checkPsps">, options?: CallOptions): Promise<readonly PspChecks<V>[]> {
    return readData(this.#connection, CHECK_MANY, parameters, options);
  }

  /**
   * `POST /v1/psp/signatures`: did this PSP sign this request? One that is not signed, or badly, is a result: see
   * `signature.problems`. `eidas`: the certificate of its TLS connection.
   */
  async verifyRequest(parameters: ParametersOf<"checkSignature">, options?: CallOptions): Promise<SignatureCheck<V>> {
    const { body } = await callOperation(this.#connection, VERIFY, parameters, options);
    return body as unknown as SignatureCheck<V>;
  }

  /** `PUT /v1/psp/watches/{authorisation_number}`: from now on what changes of the PSP is an event. */
  watch(parameters: ParametersOf<"putWatch">, options?: CallOptions): Promise<Watch> {
    return readData(this.#connection, PUT_WATCH, parameters, options);
  }

  /** `DELETE /v1/psp/watches/{authorisation_number}`. Without a watch it is no error. */
  async unwatch(parameters: ParametersOf<"deleteWatch">, options?: CallOptions): Promise<void> {
    await callOperation(this.#connection, DELETE_WATCH, parameters, options);
  }

  /** `GET /v1/psp/watches`: up to 1,000 a page: `await` gives a page, `for await` all. */
  listWatches(parameters: ParametersOf<"listWatches"> = {}, options?: CallOptions): Listing<Watch> {
    const fetchPage = (cursor: string | undefined) =>
      readPage<Watch>(callOperation(this.#connection, LIST_WATCHES, { ...parameters, cursor }, options));
    return new Listing(fetchPage, parameters.cursor);
  }
}
