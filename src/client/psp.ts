/** The PSP checking service: `/v1/psp/...`. */
import { type CallOptions, type Connection, callOperation, readData } from "./call.ts";
import type { Operation } from "./operation.ts";
import type { ParametersOf, PspCheck, PspChecks } from "./records.ts";
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
}
