/**
 * The interface's table "Status codes by endpoint", as data: the methods of each path, and the statuses that each
 * method may answer with. In addition every endpoint may answer 405, 429, 500 and 503. The table says, too, which answers
 * leave a record in the ledger.
 */
import type { LedgerEvent } from "../evidence/ledger/record.ts";
import { once } from "../platform/memory.ts";

interface EndpointRow {
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
  /**
   * What a 503 says of what was asked for, where a store failed: what is known, and what to do. Absent: the endpoint changes
   * nothing, whatever its method.
   */
  readonly outage?: string;
  /** Of a form of version 1.6: the path that replaced it. */
  readonly successor?: string;
}

/** It is asked with POST, and changes nothing: no answer of it leaves a record. */
const CHANGES_NOTHING = null;

/** As what its answers are recorded (http/middleware/ledger.ts). Of a GET nothing is, if it is left out; a row of another method says. */
export type Endpoint = EndpointRow &
  (
    | { readonly method: "GET"; readonly event?: LedgerEvent }
    | { readonly method: "POST" | "PUT" | "DELETE"; readonly event: LedgerEvent | typeof CHANGES_NOTHING }
  );
/** An endpoint, or a form of the console, whose answers leave records. */
export type RecordedEndpoint = Endpoint & { readonly event: LedgerEvent };

const row = (method: "GET", path: string, ...statuses: number[]): Endpoint => ({ method, path, statuses });
const acts = <Event extends Exclude<Endpoint["event"], undefined>>(
  method: Exclude<Endpoint["method"], "GET">,
  path: string,
  event: Event,
  ...statuses: number[]
) => ({ method, path, event, statuses });
/** An endpoint that the interface does not have. */
const own = (endpoint: Endpoint, ...query: string[]): Endpoint => ({ ...endpoint, query });

/** An endpoint that changes something, of which a 503 says `outage`. */
const unsure = (outage: string, endpoint: Endpoint): Endpoint => ({ ...endpoint, outage });

const AGAIN = "Send the request again";
const notKnown = (what: string): string => `whether ${what} is not known. ${AGAIN}`;
const NO_CODE = `nobody was given a code. ${AGAIN}`;
const NO_CODE_FOR_CONSENT = `nobody was given a code; ${notKnown("the consent was authorised")}`;
const NO_TOKEN = `no token was issued, but the code may have been used. ${AGAIN}, and request a new code if it is refused`;
const NEW_CONSENT = `${notKnown("a consent was created")}: one that nobody authorises allows nothing`;
const END_OF_TOKEN = notKnown("the token was revoked");
const END_OF_CONSENT = notKnown("the consent was revoked");
const WITHDRAWAL = notKnown("anything was withdrawn");
const BLOCK = notKnown("the block was set");
const END_OF_BLOCK = notKnown("the block was lifted");
const WATCH = notKnown("the PSP is watched");
const REQUEST_ID = notKnown("the id of a request for which replay is refused was taken");
const END_OF_WATCH = notKnown("the watch has ended");

export const ENDPOINTS: readonly Endpoint[] = [
  unsure(NO_CODE, acts("POST", "/v1/oauth2/authorization_codes", "code.issue", 201, 400, 401, 403)),
  unsure(NO_TOKEN, acts("POST", "/v1/oauth2/tokens", "code.redemption", 201, 400, 401, 403)),
  row("GET", "/v1/oauth2/tokens/{token}", 200, 401, 404),
  unsure(END_OF_TOKEN, acts("DELETE", "/v1/oauth2/tokens/{token}", "token.deletion", 204, 401, 404)),
  row("GET", "/v1/oauth2/account/{account_id}/tokens", 200, 401, 404),
  acts("POST", "/v1/obie/ccg_tokens", "ccg_token.issue", 201, 400, 401),
  unsure(NO_CODE_FOR_CONSENT, acts("POST", "/v1/obie/authorization_codes", "code.issue", 201, 400, 401, 403)),
  unsure(NO_TOKEN, acts("POST", "/v1/obie/tokens", "code.redemption", 201, 400, 401, 403)),
  row("GET", "/v1/obie/tokens/{token}", 200, 401, 404),
  unsure(NEW_CONSENT, acts("POST", "/v1/obie/account_access_consents", "consent.creation", 201, 400, 401, 403)),
  row("GET", "/v1/obie/account_access_consents/{consent_id}", 200, 401, 403, 404),
  unsure(
    END_OF_CONSENT,
    acts("DELETE", "/v1/obie/account_access_consents/{consent_id}", "consent.revocation", 204, 401, 403, 404),
  ),
  unsure(NEW_CONSENT, acts("POST", "/v1/obie/payment_order_consents", "consent.creation", 201, 400, 401, 403)),
  row("GET", "/v1/obie/payment_order_consents", 200, 400, 401, 403),
  row("GET", "/v1/obie/payment_order_consents/{consent_id}", 200, 401, 403, 404),
  { ...row("GET", "/v1/psp/eidas", 200, 401, 404), event: "psp.checked" },
  // not in the interface: many at once. 50 certificates, each with several issuers
  own({ ...acts("POST", "/v1/psp/checks", "psps.checked", 200, 400, 401), maxBodyKib: 1024 }),
  // not in the interface: a PSP's request that its QSealC has signed
  own(unsure(REQUEST_ID, acts("POST", "/v1/psp/signatures", "psp.checked", 200, 400, 401))),
  // not in the interface: for resource servers
  { ...acts("POST", "/v1/introspect", CHANGES_NOTHING, 200, 400, 401), form: true },
  // not in the interface: for a gateway, whose log says what passed
  own(row("GET", "/v1/access", 200, 400, 401, 403), "scope", "permission", "account_id", "standing", "max_age"),
  // not in the interface: what a customer agreed to
  own(row("GET", "/v1/accounts/{account_id}/permissions", 200, 400, 401), "status", "cursor"),
  own(
    unsure(WITHDRAWAL, acts("DELETE", "/v1/accounts/{account_id}/permissions", "consent.revocation", 204, 400, 401)),
    "by",
  ),
  own(
    unsure(
      WITHDRAWAL,
      acts("DELETE", "/v1/accounts/{account_id}/permissions/{permission_id}", "consent.revocation", 204, 400, 401, 404),
    ),
    "by",
  ),
  own(row("GET", "/v1/accounts/{account_id}/block", 200, 400, 401)),
  own(unsure(BLOCK, acts("PUT", "/v1/accounts/{account_id}/block", "block.change", 200, 400, 401))),
  own(unsure(END_OF_BLOCK, acts("DELETE", "/v1/accounts/{account_id}/block", "block.change", 204, 400, 401))),
  // not in the interface: the ledger of what the institution was answered
  own(row("GET", "/v1/audit/head", 200, 400, 401)),
  own(row("GET", "/v1/audit/head/comparison", 200, 400, 401), "head"),
  own(row("GET", "/v1/audit/records", 200, 400, 401), "from", "to", "psp_id", "endpoint", "cursor", "limit"),
  own(row("GET", "/v1/audit/records/{evidence_id}", 200, 400, 401, 404)),
  own(row("GET", "/v1/audit/records/{evidence_id}/documents/{sha256}", 200, 400, 401, 404)),
  // not in the interface, whose section on events shows none: what changed of PSPs
  own(row("GET", "/v1/psp/watches", 200, 400, 401), "cursor"),
  own(unsure(WATCH, acts("PUT", "/v1/psp/watches/{authorisation_number}", "watch.change", 200, 400, 401, 403))),
  own(unsure(END_OF_WATCH, acts("DELETE", "/v1/psp/watches/{authorisation_number}", "watch.change", 204, 400, 401))),
  own(row("GET", "/v1/events", 200, 400, 401), "after", "limit"),
];

/** The forms of the console whose answers leave records, as those of the API do (console/forms.ts). */
export const CONSOLE_FORMS = {
  check: acts("POST", "/console/check", "psp.checked", 303),
  checkAgain: acts("POST", "/console/check/{id}", "psp.checked", 303),
  withdrawal: acts("POST", "/console/permissions/withdraw", "consent.revocation", 303),
  block: acts("POST", "/console/permissions/block", "block.change", 303),
  unblock: acts("POST", "/console/permissions/unblock", "block.change", 303),
  watch: acts("POST", "/console/events/watch", "watch.change", 303),
  unwatch: acts("POST", "/console/events/unwatch", "watch.change", 303),
} as const satisfies Readonly<Record<string, RecordedEndpoint>>;

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

/** For the operator's monitor, and not for institutions: it is not in the OpenAPI document (routes/metrics.ts). */
const METRICS = row("GET", "/metrics", 200, 401, 404);

/** Static files for people and their tools (routes/site.ts). */
const SITE: readonly Endpoint[] = [
  getOrHead("/"),
  getOrHead("/errors"),
  getOrHead("/docs"),
  getOrHead("/docs/{page}", 404),
  getOrHead("/openapi.json"),
  getOrHead("/openapi.yaml"),
  getOrHead("/licenses.txt"),
  getOrHead("/assets/{file}", 404),
];

/** With the statuses and the event of its successor, which answers it. */
function older(method: Endpoint["method"], path: string, successor: string): Endpoint {
  const present = ENDPOINTS.find((endpoint) => endpoint.method === method && endpoint.path === successor);
  if (!present) throw new RangeError(`${method} ${successor} is no endpoint`);
  return { ...present, path, successor };
}

/** Interface, "Versioning" 3: the forms of version 1.6, which exist only where LEGACY_1_6 is "true" (routes/v1_6/). */
export const OLDER_ENDPOINTS: readonly Endpoint[] = [
  older("POST", "/v1/obie/ccg_token", "/v1/obie/ccg_tokens"),
  older("POST", "/v1/obie/authorization_code", "/v1/obie/authorization_codes"),
  older("POST", "/v1/obie/token", "/v1/obie/tokens"),
  { ...row("GET", "/v1/obie/token/{token}", 200, 401, 404), successor: "/v1/obie/tokens" },
  older("GET", "/v1/tpp/eidas", "/v1/psp/eidas"),
];

/** Turns a path such as `/v1/obie/tokens/{token}` into an anchored pattern. */
const pattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

/** Endpoints by path, so that a request looks once. No two paths of the table match the same request. A pattern is made when it is asked. */
interface PathTable {
  readonly fixed: ReadonlyMap<string, readonly Endpoint[]>;
  readonly withParameter: readonly { readonly pattern: () => RegExp; readonly endpoints: readonly Endpoint[] }[];
}

function tabulate(endpoints: readonly Endpoint[]): PathTable {
  const paths = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), endpoint]);
  const withParameter = [...paths].filter(([path]) => path.includes("{"));
  return {
    fixed: new Map([...paths].filter(([path]) => !path.includes("{"))),
    withParameter: withParameter.map(([path, endpoints]) => ({ pattern: once(() => pattern(path)), endpoints })),
  };
}

// a tenth of a start, and only one of the two is ever asked
const present = once(() => tabulate([...ENDPOINTS, ...OPERATION, METRICS, ...SITE]));
const withOlder = once(() => tabulate([...ENDPOINTS, ...OPERATION, METRICS, ...SITE, ...OLDER_ENDPOINTS]));

const NONE: readonly Endpoint[] = [];

/** The endpoints at a request's path, one for each method; empty if the path is unknown. */
export function findEndpoints(
  path: string,
  { LEGACY_1_6 }: Partial<Pick<Env, "LEGACY_1_6">> = {},
): readonly Endpoint[] {
  const { fixed, withParameter } = LEGACY_1_6 === "true" ? withOlder() : present();
  return fixed.get(path) ?? withParameter.find(({ pattern }) => pattern().test(path))?.endpoints ?? NONE;
}
