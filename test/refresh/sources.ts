/** The world's sources on loopback: each path serves a file, or fails in a way that a real one could. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Behaviour =
  | { readonly sends: "file"; readonly bytes: Uint8Array }
  /** Promises the whole file and breaks off half-way. */
  | { readonly sends: "half"; readonly bytes: Uint8Array }
  | { readonly sends: "html" }
  | { readonly sends: "status"; readonly status: number }
  /** The first half, then nothing more. */
  | { readonly sends: "slowly"; readonly bytes: Uint8Array };

export class Sources {
  readonly #server: Server;
  readonly #paths = new Map<string, Behaviour>();
  /** Paths asked for, in order, with the status that was answered. */
  readonly asked: string[] = [];
  /** What was posted, in order. */
  readonly posted: string[] = [];

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(): Promise<Sources> {
    const sources = new Sources();
    sources.#server.listen(0, "127.0.0.1");
    await once(sources.#server, "listening");
    return sources;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  set(path: string, behaviour: Behaviour): void {
    this.#paths.set(path, behaviour);
  }

  file(path: string, bytes: Uint8Array): void {
    this.set(path, { sends: "file", bytes });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "";
    if (request.method === "POST") void text(request).then((body) => this.posted.push(body));
    const behaviour = this.#paths.get(path) ?? { sends: "status", status: 404 };
    const send = (status: number, body?: Uint8Array | string, headers: Record<string, string> = {}) => {
      this.asked.push(`${path} ${status}`);
      response.writeHead(status, headers).end(body);
    };
    switch (behaviour.sends) {
      case "file": {
        const etag = `"${createHash("sha256").update(behaviour.bytes).digest("hex")}"`;
        if (request.headers["if-none-match"] === etag) send(304);
        else send(200, behaviour.bytes, { ETag: etag });
        break;
      }
      case "half":
        this.asked.push(`${path} half`);
        response.writeHead(200, { "Content-Length": String(behaviour.bytes.length) });
        response.write(behaviour.bytes.subarray(0, behaviour.bytes.length / 2), () => response.destroy());
        break;
      case "html":
        send(200, "<!doctype html><title>Maintenance</title><p>Back soon.", { "Content-Type": "text/html" });
        break;
      case "status":
        send(behaviour.status, "no");
        break;
      case "slowly":
        this.asked.push(`${path} slowly`);
        response.writeHead(200, { "Content-Length": String(behaviour.bytes.length) });
        response.write(behaviour.bytes.subarray(0, behaviour.bytes.length / 2));
        break;
    }
  }
}
