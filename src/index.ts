/** The Worker's entry point: the app, the Durable Objects and the scheduled refresh. */
import { app } from "./app.ts";
import { clock } from "./clock.ts";
import { refreshDue } from "./refresh/scheduled.ts";

export { AuthorizationCode } from "./grants/authorization-code.ts";
export { RateWindow } from "./rate-limit/rate-window.ts";

export default {
  fetch: app.fetch,
  scheduled: async (_controller, env) => {
    await refreshDue(env, clock.now);
  },
} satisfies ExportedHandler<Env>;
