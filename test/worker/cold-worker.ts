/**
 * Runs before each test file. Starting a runtime costs two seconds of processor time, so the files share a few: each begins
 * with empty stores and with modules loaded anew, which is a cold isolate.
 */
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, vi } from "vitest";

vi.resetModules();
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);

// the reserved names of RFC 2606 cannot be reached: the runtime would ask the machine's resolver, and print its failure
const connect = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const { hostname } = new URL(input instanceof Request ? input.url : input);
  if (/\.(invalid|test)$/.test(hostname)) throw new Error("Network connection lost.");
  return connect(input, init);
};
afterAll(() => {
  globalThis.fetch = connect;
});
