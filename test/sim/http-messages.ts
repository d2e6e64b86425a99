/**
 * Request, Response and Headers as the Worker sees them. Node's own make a stream of each body and take a tenth of a history:
 * these keep the text or the bytes, and make the stream if somebody asks for it. A test compares them.
 */

import { type HeadersSource, LightHeaders } from "./http-headers.ts";

type Source = string | Uint8Array<ArrayBuffer>;

/** `body` of a message: a stream once one of its methods is called. */
class LightBody {
  readonly #source: Source | ReadableStream;
  #stream: ReadableStream<Uint8Array> | null = null;
  #taken = false;

  constructor(source: Source | ReadableStream) {
    this.#source = source;
    if (source instanceof ReadableStream) this.#stream = source;
  }

  get isUsed(): boolean {
    return this.#taken || (this.#stream?.locked ?? false);
  }

  /** Null: somebody has had it. */
  async take(): Promise<Source | null> {
    if (this.isUsed) return null;
    this.#taken = true;
    if (this.#stream) return new Uint8Array(await new Response(this.#stream).arrayBuffer());
    return this.#source as Source;
  }

  copy(): LightBody {
    if (!this.#stream) return new LightBody(this.#source);
    const [own, other] = this.#stream.tee();
    this.#stream = own;
    return new LightBody(other);
  }

  get #made(): ReadableStream<Uint8Array> {
    this.#stream ??= new Response(this.#source as Source).body;
    return this.#stream as ReadableStream<Uint8Array>;
  }

  get locked(): boolean {
    return this.isUsed;
  }

  getReader(): ReadableStreamDefaultReader<Uint8Array> {
    return this.#made.getReader();
  }

  cancel(reason?: unknown): Promise<void> {
    this.#taken = true;
    return this.#stream ? this.#stream.cancel(reason) : Promise.resolve();
  }

  pipeThrough<Out>(through: ReadableWritablePair<Out, Uint8Array>): ReadableStream<Out> {
    return this.#made.pipeThrough(through);
  }

  pipeTo(to: WritableStream<Uint8Array>): Promise<void> {
    return this.#made.pipeTo(to);
  }

  tee(): [ReadableStream<Uint8Array>, ReadableStream<Uint8Array>] {
    return this.#made.tee();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#made[Symbol.asyncIterator]();
  }
}

/** A body as a message is given it, and the type that the message has by it. */
function readBody(given: unknown): { readonly body: LightBody | null; readonly type: string | null } {
  if (given === null || given === undefined) return { body: null, type: null };
  if (given instanceof LightBody) {
    if (given.isUsed) throw new TypeError("Response body object should not be disturbed or locked");
    return { body: given, type: null };
  }
  if (given instanceof ReadableStream) return { body: new LightBody(given), type: null };
  if (given instanceof ArrayBuffer) return { body: new LightBody(new Uint8Array(given.slice(0))), type: null };
  if (ArrayBuffer.isView(given)) {
    const { buffer, byteOffset, byteLength } = given;
    return { body: new LightBody(new Uint8Array(buffer, byteOffset, byteLength).slice()), type: null };
  }
  if (given instanceof Blob || given instanceof FormData || given instanceof URLSearchParams) {
    const { body, headers } = new Response(given);
    return { body: body && new LightBody(body), type: headers.get("Content-Type") };
  }
  return { body: new LightBody(String(given).toWellFormed()), type: "text/plain;charset=UTF-8" };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface MessageParts {
  readonly headers?: HeadersSource;
  readonly body?: unknown;
}

class LightMessage {
  readonly headers: LightHeaders;
  readonly body: LightBody | null;

  constructor({ headers, body: given }: MessageParts) {
    this.headers = new LightHeaders(headers);
    const { body, type } = readBody(given);
    this.body = body;
    if (type !== null && !this.headers.has("Content-Type")) this.headers.set("Content-Type", type);
  }

  get bodyUsed(): boolean {
    return this.body?.isUsed ?? false;
  }

  async #take(): Promise<Source> {
    const source = this.body === null ? "" : await this.body.take();
    if (source === null) throw new TypeError("Body is unusable: Body has already been read");
    return source;
  }

  async text(): Promise<string> {
    const source = await this.#take();
    if (typeof source !== "string") return decoder.decode(source);
    return source.startsWith("\ufeff") ? source.slice(1) : source;
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const source = await this.#take();
    return typeof source === "string" ? new Uint8Array(encoder.encode(source)) : source;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).slice().buffer;
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get("Content-Type") ?? "" });
  }

  async formData(): Promise<FormData> {
    const headers = { "Content-Type": this.headers.get("Content-Type") ?? "" };
    return await new Response(await this.bytes(), { headers }).formData();
  }
}

interface RequestParts extends MessageParts {
  readonly method?: string;
  readonly signal?: AbortSignal | null;
}

export class LightRequest extends LightMessage {
  readonly method: string;
  readonly url: string;
  #signal: AbortSignal | null;

  constructor(given: unknown, parts: RequestParts = {}) {
    const from = given instanceof LightRequest ? given : null;
    const { method = from?.method ?? "GET", headers = from?.headers, body = from?.body, signal } = parts;
    super({ headers, body });
    this.method = /^(?:get|head|post|put|delete|options)$/i.test(method) ? method.toUpperCase() : method;
    if (this.body && /^(?:GET|HEAD)$/.test(this.method))
      throw new TypeError("Request with GET/HEAD method cannot have body.");
    this.url = from ? from.url : new URL(String(given)).href;
    this.#signal = signal ?? null;
  }

  get signal(): AbortSignal {
    this.#signal ??= new AbortController().signal;
    return this.#signal;
  }

  clone(): LightRequest {
    if (this.bodyUsed) throw new TypeError("unusable");
    const { method, headers, body, url } = this;
    return new LightRequest(url, { method, headers, body: body?.copy() });
  }
}

interface ResponseParts extends MessageParts {
  readonly status?: number;
  readonly statusText?: string;
}

const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);

export class LightResponse extends LightMessage {
  readonly status: number;
  readonly statusText: string;

  constructor(body: unknown = null, { status = 200, statusText = "", headers }: ResponseParts = {}) {
    super({ headers, body });
    if (status < 200 || status > 599)
      throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    if (this.body && BODILESS.has(status)) throw new TypeError(`Invalid response status code ${status}`);
    this.status = status;
    this.statusText = statusText;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  static json(value: unknown, parts: ResponseParts = {}): LightResponse {
    const response = new LightResponse(JSON.stringify(value), parts);
    if (!new LightHeaders(parts.headers).has("Content-Type")) response.headers.set("Content-Type", "application/json");
    return response;
  }

  static redirect(url: string, status = 302): LightResponse {
    return new LightResponse(null, { status, headers: { Location: new URL(url).href } });
  }

  clone(): LightResponse {
    if (this.bodyUsed) throw new TypeError("Response.clone: Body has already been consumed.");
    return new LightResponse(this.body?.copy(), this);
  }
}
