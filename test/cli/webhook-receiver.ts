/** A receiver of webhooks on this machine, which verifies what it gets with the library of Standard Webhooks. */
import { once } from "node:events";
import { createServer as createHttp, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import type { WrittenEvent } from "../../src/events/event.ts";

interface Got {
  readonly id: string;
  readonly path: string;
  readonly event: WrittenEvent;
}

/** How it answers; undefined: not at all. */
type Manner = (
  request: IncomingMessage,
) => { status: number; headers?: Record<string, string>; body?: string } | undefined;

export interface Receiver {
  readonly url: string;
  /** In the order of their arrival. */
  readonly got: Got[];
  manner: Manner;
  /** From {@link Receiver.up} on it listens at the same port. */
  up(): Promise<void>;
  down(): Promise<void>;
}

/** `secretOf`: of the path's webhook. `tls`: key and certificate in PEM. */
export async function startReceiver(
  secretOf: () => string,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Receiver> {
  const receiver = {
    got: [] as Got[],
    manner: (() => ({ status: 204 })) as Manner,
    url: "",
  };
  const answer: RequestListener = async (request, response) => {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    // throws for what is not signed with the secret; the library refuses timestamps that are not of now
    const event = new Webhook(secretOf()).verify(body, headers) as WrittenEvent;
    receiver.got.push({ id: String(headers["webhook-id"]), path: request.url ?? "", event });
    const said = receiver.manner(request);
    if (said) response.writeHead(said.status, said.headers).end(said.body);
  };
  let server: Server;
  let port = 0;
  const up = async () => {
    server = tls ? createHttps(tls, answer) : createHttp(answer);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  };
  const down = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  await up();
  return Object.assign(receiver, { url: `${tls ? "https" : "http"}://127.0.0.1:${port}/events`, up, down });
}
