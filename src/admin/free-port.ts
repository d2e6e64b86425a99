/** Whether `npm start` may have its port: found out before it writes into stores that another one may serve. */
import { once } from "node:events";
import { createServer } from "node:net";
import { fail } from "./fail.ts";

export async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, "listening").catch(({ code, message }: NodeJS.ErrnoException) =>
    code === "EADDRINUSE"
      ? fail(
          `Address already in use (${host}:${port}): is npm start running in another terminal? For another port: npm start -- --port 9000`,
        )
      : fail(message),
  );
  await once(server.close(), "close");
}
