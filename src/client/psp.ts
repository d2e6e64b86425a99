/** The PSP checking service: `/v1/psp/...`. */
import { type CallOptions, type Connection, callOperation, readData } from "./call.ts";
import { Listing, readPage } from "./listing.ts";
import type { Operation } from "./operation.ts";
import type { ParametersOf, PspCheck, PspChecks, Watch } from "./records.ts";
import type { Version } from "./settings.ts";

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
