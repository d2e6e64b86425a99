/**
 * A bank's backend as tests need it: single requests, well or ill formed, in the name of an FI, and their raw answers.
 * They are sent by the low-level request of the client for banks (src/client/).
 */
import { PspGate } from "../src/client/index.ts";
import type { HeaderValues, RawAnswer } from "../src/client/request.ts";

/** The API credentials of an FI, and its reference. */
export interface Credentials {
  readonly clientId: string;
  readonly secret: string;
  readonly fiReferenceId: string;
}

export type { HeaderValues };

export interface Call {
  /** An undefined header is not sent. */
  readonly headers?: HeaderValues;
  /** A string or bytes are sent as they are, any other value as JSON. */
  readonly body?: unknown;
  /** The content of an answer that is no error comes as the member `bytes` of its body. */
  readonly bytes?: true;
}

export type Answer = RawAnswer;

export type Bank = (method: string, path: string, call?: Call) => Promise<Answer>;

/** The headers that identify the FI, and the version of the interface. */
export const identify = ({ clientId, secret, fiReferenceId }: Credentials) => ({
  Authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
  fi_reference_id: fiReferenceId,
  version: "1",
});

/** As long as a test may take on a loaded machine. */
const TIMEOUT_MS = 600_000;

/**
 * A bank that calls the service at `baseUrl` by `send`: `fetch`, or a Worker in the same process. The headers of a call
 * replace its own.
 */
export function makeBank(
  send: (request: Request) => Response | Promise<Response>,
  baseUrl: string,
  { secret: clientSecret, ...identity }: Credentials,
): Bank {
  const gate = new PspGate({
    ...identity,
    clientSecret,
    baseUrl,
    fetch: (url, init) => send(new Request(url, init)),
    timeout: TIMEOUT_MS,
    allowHttp: true,
  });
  return (method, path, call = {}) => gate.request({ method, path, ...call });
}
