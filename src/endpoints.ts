/**
 * The interface's table "Status codes by endpoint", as data: the methods of each path, and the statuses that each
 * method may answer with. In addition every endpoint may answer 405, 429, 500 and 503.
 */
import { once } from "./once.ts";

export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** As in the interface; `{name}` is one path segment. */
  readonly path: string;
  readonly statuses: readonly number[];
  /** Its body may be a form, as RFC 7662 section 2.1 has it, instead of JSON. */
  readonly form?: true;
  /** HEAD is answered, too (RFC 9110 section 9.3.2): of static files, and where monitors ask. */
  readonly head?: true;
  /** How large its body may be; 64 KiB if it is not given. */
  readonly maxBodyKib?: number;
  /**
   * The only names that its query may have. Not of the interface's endpoints, which ignore others (a later version may
   * add some), nor of RFC 7662's.
   */
  readonly query?: readonly string[];
  /** Of a form of version 1.6: the path that replaced it. */
  readonly successor?: string;
}

const row = (method: Endpoint["method"], path: string, ...statuses: number[]): Endpoint => ({ method, path, statuses });
/** An endpoint that the interface does not have. */
const own = (endpoint: Endpoint, ...query: string[]): Endpoint => ({ ...endpoint, query });

export const ENDPOINTS: readonly Endpoint[] = [
  row("POST", "/v1/oauth2/authorization_codes", 201, 400, 401, 403),
  row("POST", "/v1/oauth2/tokens", 201, 400, 401, 403),
  row("GET", "/v1/oauth2/tokens/{token}", 200, 401, 404),
  row("DELETE", "/v1/oauth2/tokens/{token}", 204, 401, 404),
  row("GET", "/v1/oauth2/account/{account_id}/tokens", 200, 401, 404),
  row("POST", "/v1/obie/ccg_tokens", 201, 400, 401),
  row("POST", "/v1/obie/authorization_codes", 201, 400, 401, 403),
  row("POST", "/v1/obie/tokens", 201, 400, 401, 403),
  row("GET", "/v1/obie/tokens/{token}", 200, 401, 404),
  row("POST", "/v1/obie/account_access_consents", 201, 400, 401, 403),
  row("GET", "/v1/obie/account_access_consents/{consent_id}", 200, 401, 403, 404),
  row("DELETE", "/v1/obie/account_access_consents/{consent_id}", 204, 401, 403, 404),
  row("POST", "/v1/obie/payment_order_consents", 201, 400, 401, 403),
  row("GET", "/v1/obie/payment_order_consents", 200, 400, 401, 403),
  row("GET", "/v1/obie/payment_order_consents/{consent_id}", 200, 401, 403, 404),
  row("GET", "/v1/psp/eidas", 200, 401, 404),
  // not in the interface: many at once. 50 certificates, each with several issuers
  own({ ...row("POST", "/v1/psp/checks", 200, 400, 401), maxBodyKib: 1024 }),
  // not in the interface: for resource servers
  { ...row("POST", "/v1/introspect", 200, 400, 401), form: true },
  // not in the interface: what a customer agreed to
  own(row("GET", "/v1/accounts/{account_id}/permissions", 200, 400, 401), "status", "cursor"),
  own(row("DELETE", "/v1/accounts/{account_id}/permissions", 204, 400, 401), "by"),
  own(row("DELETE", "/v1/accounts/{account_id}/permissions/{permission_id}", 204, 400, 401, 404), "by"),
  own(row("GET", "/v1/accounts/{account_id}/block", 200, 400, 401)),
  own(row("PUT", "/v1/accounts/{account_id}/block", 200, 400, 401)),
  own(row("DELETE", "/v1/accounts/{account_id}/block", 204, 400, 401)),
  // not in the interface: the ledger of what the institution was answered
  own(row("GET", "/v1/audit/head", 200, 400, 401)),
  own(row("GET", "/v1/audit/records", 200, 400, 401), "from", "to", "psp_id", "endpoint", "cursor", "limit"),
  own(row("GET", "/v1/audit/records/{evidence_id}", 200, 400, 401, 404)),
  own(row("GET", "/v1/audit/records/{evidence_id}/documents/{sha256}", 200, 400, 401, 404)),
  // not in the interface, whose section on events shows none: what changed of PSPs
  own(row("GET", "/v1/psp/watches", 200, 400, 401), "cursor"),
  own(row("PUT", "/v1/psp/watches/{authorisation_number}", 200, 400, 401, 403)),
  own(row("DELETE", "/v1/psp/watches/{authorisation_number}", 204, 400, 401)),
  own(row("GET", "/v1/events", 200, 400, 401), "after", "limit"),
];

/** The form of the console that leaves a record in the ledger, as withdrawals by the API do. */
export const CONSOLE_WITHDRAWAL: Endpoint = row("POST", "/console/permissions/withdraw", 303);

const getOrHead = (path: string, ...statuses: number[]): Endpoint => ({
  ...row("GET", path, 200, ...statuses),
  head: true,
});
/** Not in the interface: for an operator's monitor; for a bank that asks how fresh the data is, and for who verifies a signed answer. */
export const OPERATION: readonly Endpoint[] = [
  getOrHead("/health"),
  getOrHead("/status", 401),
  getOrHead("/.well-known/jwks.json"),
];

/** Static files for people and their tools (routes/site.ts). */
const SITE: readonly Endpoint[] = [
  getOrHead("/"),
  getOrHead("/errors"),
  getOrHead("/docs"),
  getOrHead("/docs/{page}", 404),
  getOrHead("/openapi.json"),
  getOrHead("/openapi.yaml"),
  getOrHead("/assets/{file}", 404),
];

/** Interface, "Versioning" 3: the forms of version 1.6, which exist only where LEGACY_1_6 is "true" (routes/v1_6/). */
export const OLDER_ENDPOINTS: readonly Endpoint[] = [
  { ...row("POST", "/v1/obie/ccg_token", 201, 400, 401), successor: "/v1/obie/ccg_tokens" },
  { ...row("POST", "/v1/obie/authorization_code", 201, 400, 401, 403), successor: "/v1/obie/authorization_codes" },
  { ...row("POST", "/v1/obie/token", 201, 400, 401, 403), successor: "/v1/obie/tokens" },
  { ...row("GET", "/v1/obie/token/{token}", 200, 401, 404), successor: "/v1/obie/tokens" },
  { ...row("GET", "/v1/tpp/eidas", 200, 401, 404), successor: "/v1/psp/eidas" },
];

/** Turns a path such as `/v1/obie/tokens/{token}` into an anchored pattern. */
const pattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

/** Endpoints by path, so that a request looks once. No two paths of the table match the same request. */
interface PathTable {
  readonly fixed: ReadonlyMap<string, readonly Endpoint[]>;
  readonly withParameter: readonly { readonly pattern: RegExp; readonly endpoints: readonly Endpoint[] }[];
}

function tabulate(endpoints: readonly Endpoint[]): PathTable {
  const paths = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), endpoint]);
  const withParameter = [...paths].filter(([path]) => path.includes("{"));
  return {
    fixed: new Map([...paths].filter(([path]) => !path.includes("{"))),
    withParameter: withParameter.map(([path, endpoints]) => ({ pattern: pattern(path), endpoints })),
  };
}

// a tenth of a start, and only one of the two is ever asked
const present = once(() => tabulate([...ENDPOINTS, ...OPERATION, ...SITE]));
const withOlder = once(() => tabulate([...ENDPOINTS, ...OPERATION, ...SITE, ...OLDER_ENDPOINTS]));

const NONE: readonly Endpoint[] = [];

/** The endpoints at a request's path, one for each method; empty if the path is unknown. */
export function findEndpoints(
  path: string,
  { LEGACY_1_6 }: Partial<Pick<Env, "LEGACY_1_6">> = {},
): readonly Endpoint[] {
  const { fixed, withParameter } = LEGACY_1_6 === "true" ? withOlder() : present();
  return fixed.get(path) ?? withParameter.find(({ pattern }) => pattern.test(path))?.endpoints ?? NONE;
}
