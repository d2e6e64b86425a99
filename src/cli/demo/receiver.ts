/** A bank's receiver of webhooks on this machine: verifies each delivery by the library of Standard Webhooks. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { clock } from "../../platform/clock.ts";

export interface Receiver {
  readonly url: string;
  /** The next event that arrives, verified by the secret of the webhook. Throws after a minute, and for one that does not verify. */
  readonly next: (secret: string) => Promise<unknown>;
  readonly end: () => Promise<void>;
}

const TIMEOUT_MS = 60_000;

export async function startReceiver(): Promise<Receiver> {
  const arrived: { readonly body: string; readonly headers: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    arrived.push({ body: await text(request), headers: request.headers as Record<string, string> });
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/psp-events`,
    next: async (secret) => {
      for (const until = clock.now() + TIMEOUT_MS; clock.now() < until; await clock.wait(100)) {
        const delivery = arrived.shift();
        if (delivery) return new Webhook(secret).verify(delivery.body, delivery.headers);
      }
      throw new Error("no event arrived within a minute");
    },
    end: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
