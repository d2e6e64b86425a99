/** The PSP checking service: `/v1/psp/...`. */
import { type CallOptions, type Connection, callOperation } from "./call.ts";
import type { Operation } from "./operation.ts";
import type { Parameters, PspCheck } from "./records.ts";
import type { Version } from "./settings.ts";

const EIDAS = "/v1/psp/eidas";

const CHECK: Operation = {
  method: "GET",
  path: EIDAS,
  header: "eidas",
  query: ["jurisdiction"],
  repeat: "always",
  has: "eIDAS",
};

export class Psp<V extends Version> {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * `GET /v1/psp/eidas`: four verdicts on the PSP's certificate, and what its home and host registers say. A check that
   * fails is a result. With version `latest` the result has the decision, with its reasons and evidence.
   */
  async check(parameters: Parameters<typeof EIDAS, "get">, options?: CallOptions): Promise<PspCheck<V>> {
    const { body } = await callOperation(this.#connection, CHECK, parameters, options);
    return body as unknown as PspCheck<V>;
  }
}
