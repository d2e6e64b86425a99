/** The rows of the resources that lie in this folder itself. None is in the interface. */
import { acts, CHANGES_NOTHING, type Endpoint, getOrHead, notKnown, own, row, unsure } from "../http/endpoint.ts";

/** For resource servers, and for a gateway, whose log says what passed. */
export const TOKENS_SHOWN: readonly Endpoint[] = [
  { ...acts("POST", "/v1/introspect", CHANGES_NOTHING, 200, 400, 401), form: true },
  own(row("GET", "/v1/access", 200, 400, 401, 403), "scope", "permission", "account_id", "standing", "max_age"),
];

/** The ledger of what the institution was answered. */
export const AUDIT: readonly Endpoint[] = [
  own(row("GET", "/v1/audit/head", 200, 400, 401)),
  own(row("GET", "/v1/audit/head/comparison", 200, 400, 401), "head"),
  own(row("GET", "/v1/audit/records", 200, 400, 401), "from", "to", "psp_id", "endpoint", "cursor", "limit"),
  own(row("GET", "/v1/audit/records/{evidence_id}", 200, 400, 401, 404)),
  own(row("GET", "/v1/audit/records/{evidence_id}/documents/{sha256}", 200, 400, 401, 404)),
];

/** What changed of PSPs. The interface's section on events shows none. */
export const EVENTS: readonly Endpoint[] = [
  own(row("GET", "/v1/psp/watches", 200, 400, 401), "cursor"),
  own(
    unsure(
      notKnown("the PSP is watched"),
      acts("PUT", "/v1/psp/watches/{authorisation_number}", "watch.change", 200, 400, 401, 403),
    ),
  ),
  own(
    unsure(
      notKnown("the watch has ended"),
      acts("DELETE", "/v1/psp/watches/{authorisation_number}", "watch.change", 204, 400, 401),
    ),
  ),
  own(row("GET", "/v1/events", 200, 400, 401), "after", "limit"),
];

/** For an operator's monitor; for a bank that asks how fresh the data is, and for who verifies a signed answer. */
export const OPERATION: readonly Endpoint[] = [
  getOrHead("/health"),
  getOrHead("/status", 401),
  getOrHead("/.well-known/jwks.json"),
];

/** For the operator's monitor, and not for institutions: it is not in the OpenAPI document (routes/metrics.ts). */
export const METRICS: readonly Endpoint[] = [row("GET", "/metrics", 200, 401, 404)];

/** Static files for people and their tools (routes/site.ts). */
export const SITE: readonly Endpoint[] = [
  getOrHead("/"),
  getOrHead("/errors"),
  getOrHead("/errors/{page}", 404),
  getOrHead("/docs"),
  getOrHead("/docs/{page}", 404),
  getOrHead("/openapi.json"),
  getOrHead("/openapi.yaml"),
  getOrHead("/licenses.txt"),
  getOrHead("/assets/{file}", 404),
];
