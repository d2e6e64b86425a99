/** One keep-alive connection to the service, on which one source address after the other sends its requests. */
import { Client } from "undici";

/** The limit of wrangler.toml: an address stays far below it, and above the share from which the platform is asked. */
const RATE_LIMIT = 15_000;
const REQUESTS_PER_ADDRESS = 5_000;
/** Below the limit's window of five minutes: what is left is then the limit less what the address has sent. */
const ADDRESS_MILLISECONDS = 60_000;
const ADDRESSES_PER_CONNECTION = 2 ** 12;

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** When it was sent and wholly received, in milliseconds since 1970. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** In between, by a clock that never jumps. */
  readonly milliseconds: number;
  /** Of the address, after this request. */
  readonly remaining: number;
}

/** An answer and what was sent, for expectations that relate to them. */
export interface Exchange extends Received {
  /** Parsed; null if there is none. */
  readonly body: unknown;
  readonly requestId: string;
}

export interface Expected {
  readonly status: number;
  /** Null: no body. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

export class Connection {
  readonly #client: Client;
  readonly #number: number | null;
  #addresses = 0;
  #sent = 0;
  #since = 0;

  /** `number`: of this connection among all of the run, which makes its addresses its own. Null: it sends no address. */
  constructor(url: string, number: number | null) {
    this.#client = new Client(url, { pipelining: 1 });
    this.#number = number;
  }

  /** Rejects if there is no answer. */
  async send({ method, path, headers, body = "" }: Call): Promise<Received> {
    const sentAt = Date.now();
    this.#countRequest(sentAt);
    const remaining = RATE_LIMIT - this.#sent;
    const started = performance.now();
    const response = await this.#client.request({
      method,
      path,
      headers: this.#number === null ? headers : { ...headers, "CF-Connecting-IP": this.#address(this.#number) },
      body: method === "GET" ? null : body,
    });
    const text = await response.body.text();
    const milliseconds = performance.now() - started;
    const { statusCode: status, headers: received } = response;
    return { status, headers: received, text, sentAt, receivedAt: Date.now(), milliseconds, remaining };
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #countRequest(now: number): void {
    if (this.#sent >= REQUESTS_PER_ADDRESS || now - this.#since >= ADDRESS_MILLISECONDS) {
      this.#addresses++;
      this.#sent = 0;
      this.#since = now;
    }
    this.#sent++;
  }

  #address(ofConnection: number): string {
    const number = ofConnection * ADDRESSES_PER_CONNECTION + (this.#addresses % ADDRESSES_PER_CONNECTION);
    return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  }
}
