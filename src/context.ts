/** What a request carries through the pipeline of app.ts. */
import type { Endpoint } from "./endpoints.ts";
import type { FinancialInstitution } from "./financial-institutions.ts";
import type { Evidence } from "./psp-check.ts";

export interface Variables {
  requestId: string;
  /** The row of the interface's table that this request is for. */
  endpoint: Endpoint;
  fi: FinancialInstitution;
  /** What the stores hold on the certificate asked about, when its reading has begun (routes/psp/eidas.ts). */
  evidence: Promise<Evidence>;
  /** Authorisation number of the PSP that the request is about, for the log line. */
  psp: string;
}

export interface AppEnv {
  Bindings: Env;
  Variables: Variables;
}
