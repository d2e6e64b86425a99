/** The rows of the forms of version 1.6 (interface, "Versioning" 3), which exist only where LEGACY_1_6 is "true". */
import { type Endpoint, row } from "../../http/endpoint.ts";
import { OPEN_BANKING_FLOW } from "../obie/endpoints.ts";
import { PSP_CHECKS } from "../psp/endpoints.ts";

/** With the statuses and the event of its successor, which answers it. */
function older(method: Endpoint["method"], path: string, successor: string): Endpoint {
  const present = [...OPEN_BANKING_FLOW, ...PSP_CHECKS].find(
    (endpoint) => endpoint.method === method && endpoint.path === successor,
  );
  if (!present) throw new RangeError(`${method} ${successor} is no endpoint`);
  return { ...present, path, successor };
}

export const FORMS_OF_1_6: readonly Endpoint[] = [
  older("POST", "/v1/obie/ccg_token", "/v1/obie/ccg_tokens"),
  older("POST", "/v1/obie/authorization_code", "/v1/obie/authorization_codes"),
  older("POST", "/v1/obie/token", "/v1/obie/tokens"),
  { ...row("GET", "/v1/obie/token/{token}", 200, 401, 404), successor: "/v1/obie/tokens" },
  older("GET", "/v1/tpp/eidas", "/v1/psp/eidas"),
];
