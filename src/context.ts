/** What a request carries through the pipeline of app.ts. */
import type { EidasHeader } from "./eidas/eidas-header.ts";
import type { Endpoint } from "./endpoints.ts";
import type { FinancialInstitution } from "./financial-institutions.ts";
import type { CcgGrant } from "./grants/ccg-token.ts";
import type { Client } from "./grants/client.ts";
import type { Evidence } from "./psp-check.ts";

export interface Variables {
  requestId: string;
  /** The row of the interface's table that this request is for. */
  endpoint: Endpoint;
  fi: FinancialInstitution;
  /** The header `eidas` once it was read, and what the stores hold on it once that was begun (middleware/presented-certificate.ts). */
  presented: EidasHeader;
  evidence: Promise<Evidence>;
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
