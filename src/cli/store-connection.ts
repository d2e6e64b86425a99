/**
 * Requests to the runtime of the local stores: of Node's own client each is one write to a connection that stays open.
 * `fetch` takes a millisecond of processor time more, and an import makes thousands.
 */
import { Agent, request } from "node:http";

export interface StoreConnection {
  /** Sends JSON and answers the JSON that comes back. Throws when the runtime does not answer, or refuses. */
  readonly send: (body: unknown) => Promise<unknown>;
  readonly close: () => void;
}

/** `secret`: without it the runtime refuses. */
export function connectToStores(address: URL, secret: string): StoreConnection {
  const agent = new Agent({ keepAlive: true });
  const post = (bytes: Buffer, connection: Agent | false) =>
    new Promise<unknown>((resolve, reject) => {
      const headers = { Authorization: secret, "Content-Length": bytes.length };
      const asked = request(address.href, { agent: connection, method: "POST", headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          if (response.statusCode === 200) resolve(JSON.parse(Buffer.concat(parts).toString()));
          else reject(new Error(`the local stores answer ${response.statusCode}`));
        });
      });
      asked.on("error", (error: NodeJS.ErrnoException) => {
        // workerd closes a connection that was idle for fifteen seconds, and had not read this request then; where it ended
        // instead, nobody takes the new connection. An answer that breaks off is an error of the response
        const closed = asked.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
        if (closed) resolve(post(bytes, false));
        else reject(error);
      });
      asked.end(bytes);
    });
  return { send: (body) => post(Buffer.from(JSON.stringify(body)), agent), close: () => agent.destroy() };
}
