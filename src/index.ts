/** The Worker's entry point: the app, the Durable Objects, the scheduled refresh and the queue of deliveries. */
import { app } from "./app.ts";
import type { DeliveryMessage } from "./events/queue.ts";
import { clock } from "./platform/clock.ts";
import { isNodeCryptoLoaded, loadNodeCrypto } from "./platform/node-crypto.ts";

export { Ledger } from "./evidence/ledger/ledger.ts";
export { AuthorizationCode } from "./grants/authorization-code.ts";
export { RateWindow } from "./http/rate-limit/rate-window.ts";

export default {
  fetch: (request, env, ctx) =>
    isNodeCryptoLoaded() ? app.fetch(request, env, ctx) : loadNodeCrypto().then(() => app.fetch(request, env, ctx)),
  scheduled: async (_controller, env) => {
    // loaded when it runs: what it reads lists and registers with (XML, ZIP) is a third of the code, and no request needs it
    const { refreshDue } = await import("./refresh/scheduled.ts");
    await refreshDue(env, clock.now);
  },
  queue: async (batch, env) => {
    const { consume } = await import("./events/queue.ts");
    await consume(batch, env, clock.now);
  },
} satisfies ExportedHandler<Env, DeliveryMessage>;
