/** A port of loopback that was free a moment ago, and that the machine gives to no connection of its own meanwhile. */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below those of outgoing connections: Linux takes them from 32768 on, macOS from 49152. */
const PORTS = { min: 20_000, max: 32_000 };

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.min, PORTS.max);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
