/** Whether `npm start` may have its port: found out before it writes into stores that another one may serve. */
import { once } from "node:events";
import { createServer } from "node:net";
import { EXIT, fail } from "./fail.ts";

/** `given`: true if the option has no value. */
export function readPort(given: string | boolean): number {
  const port = typeof given === "string" && /^\d{1,5}$/.test(given) ? Number(given) : 0;
  return port > 0 && port < 65_536
    ? port
    : fail("--port: a number from 1 to 65535 is needed, such as --port 9000", EXIT.usage);
}

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
