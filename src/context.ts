/** What a request carries through the pipeline of app.ts. */
import type { EidasHeader } from "./eidas/eidas-header.ts";
import type { Endpoint } from "./endpoints.ts";
import type { FinancialInstitution } from "./financial-institutions.ts";
import type { CcgGrant } from "./grants/ccg-token.ts";
import type { Client } from "./grants/client.ts";
import type { ReadAhead } from "./psp-check/psp-readings.ts";

/** `latest`, or the major version (interface, "Versioning"). */
export type Version = "latest" | "1";

export interface Variables {
  requestId: string;
  /** Of the header `version`. With `1` an answer has the interface's fields and no other. */
  version: Version;
  /** The row of the interface's table that this request is for. */
  endpoint: Endpoint;
  fi: FinancialInstitution;
  /** Begins to read what the request will need of the stores; called by middleware/financial-institution.ts or not at all. */
  readAhead: () => void;
  /** The header `eidas` once it was read. */
  presented: EidasHeader;
  /** What was begun to be read for its first certificate (middleware/presented-certificate.ts). */
  ahead: ReadAhead;
  /** What the header `ccg_token` holds, not yet known to be this FI's and alive (middleware/ccg-token.ts). */
  ccg: { readonly grant: CcgGrant; readonly client: Client };
  /** The PSP that acts, by its certificate or its CCG token. */
  client: Client;
  /** Authorisation number of the PSP that the request is about, for the log line. */
  psp: string;
  /** The codes of the error that was answered, for the log line. */
  outcome: string;
}

export interface AppEnv {
  Bindings: Env;
  Variables: Variables;
}
