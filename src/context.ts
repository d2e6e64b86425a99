/** What a request carries through the pipeline of app.ts. */
import type { Endpoint } from "./endpoints.ts";
import type { FinancialInstitution } from "./financial-institutions.ts";

export interface Variables {
  requestId: string;
  /** The row of the interface's table that this request is for. */
  endpoint: Endpoint;
  fi: FinancialInstitution;
  /** Authorisation number of the PSP that the request is about, for the log line. */
  psp: string;
}

export interface AppEnv {
  Bindings: Env;
  Variables: Variables;
}
