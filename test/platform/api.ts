/** What the parts of the platform have in common: requests, answers and errors of the API. */
import type { IncomingMessage } from "node:http";

export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** Of the path, in the order of the pattern. */
  readonly parts: readonly string[];
  /** Where this API is. */
  readonly origin: string;
}

/** A result in Cloudflare's envelope, or an answer without it. */
export type ApiAnswer =
  | { readonly result: unknown; readonly info?: object }
  | { readonly raw: string | Uint8Array; readonly headers?: Record<string, string> };

/** `pattern`: a method and a path below the account, `*` for one segment. */
export type Route = readonly [pattern: string, answer: (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>];

/** An error of the API: developers.cloudflare.com/fundamentals/api/troubleshooting/ */
export class ApiFault extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
