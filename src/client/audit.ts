/** The ledger of what the institution was answered: `/v1/audit/...`. */
import { type CallOptions, type Connection, readData } from "./call.ts";
import type { Operation } from "./operation.ts";
import type { LedgerHead } from "./records.ts";

const HEAD: Operation = { method: "GET", path: "/v1/audit/head", repeat: "always", has: "data" };

export class Audit {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** `GET /v1/audit/head`: the signed end of the ledger. Who keeps it can show that a record below it was altered or removed. */
  getHead(options?: CallOptions): Promise<LedgerHead> {
    return readData(this.#connection, HEAD, {}, options);
  }
}
