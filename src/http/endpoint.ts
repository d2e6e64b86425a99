/**
 * A row of the interface's table "Status codes by endpoint": a method of a path, and the statuses that it may answer with. In
 * addition every endpoint may answer 405, 429, 500 and 503. The row says, too, which answers leave a record in the ledger.
 */
import type { LedgerEvent } from "../evidence/ledger/record.ts";

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
  /** Of an older form: the path that replaced it. */
  readonly successor?: string;
}

/** It is asked with POST, and changes nothing: no answer of it leaves a record. */
export const CHANGES_NOTHING = null;

/** As what its answers are recorded (http/middleware/ledger.ts). Of a GET nothing is, if it is left out; a row of another method says. */
export type Endpoint = EndpointRow &
  (
    | { readonly method: "GET"; readonly event?: LedgerEvent }
    | { readonly method: "POST" | "PUT" | "DELETE"; readonly event: LedgerEvent | typeof CHANGES_NOTHING }
  );
/** An endpoint, or a form of the console, whose answers leave records. */
export type RecordedEndpoint = Endpoint & { readonly event: LedgerEvent };

export const row = (method: "GET", path: string, ...statuses: number[]): Endpoint => ({ method, path, statuses });
export const acts = <Event extends Exclude<Endpoint["event"], undefined>>(
  method: Exclude<Endpoint["method"], "GET">,
  path: string,
  event: Event,
  ...statuses: number[]
) => ({ method, path, event, statuses });
/** An endpoint that the interface does not have. */
export const own = (endpoint: Endpoint, ...query: string[]): Endpoint => ({ ...endpoint, query });

/** An endpoint that changes something, of which a 503 says `outage`. */
export const unsure = (outage: string, endpoint: Endpoint): Endpoint => ({ ...endpoint, outage });

/** Of a static file, or for a monitor. */
export const getOrHead = (path: string, ...statuses: number[]): Endpoint => ({
  ...row("GET", path, 200, ...statuses),
  head: true,
});

const AGAIN = "Send the request again";
/** What a 503 says where asking again does no harm. */
export const notKnown = (what: string): string => `whether ${what} is not known. ${AGAIN}`;
export const NO_CODE = `nobody was given a code. ${AGAIN}`;
export const NO_TOKEN = `no token was issued, but the code may have been used. ${AGAIN}, and request a new code if it is refused`;
