/** The steps of the scheduled refresh, one per request, in the Worker as it is built. */
import { app } from "../../src/app.ts";
import { clock } from "../../src/platform/clock.ts";
import { listRefreshes } from "../../src/refresh/refreshes.ts";
import { MAX_LIST_BYTES_PER_STEP, MAX_WRITES_PER_STEP, runStep } from "../../src/refresh/scheduled.ts";

export { Ledger } from "../../src/evidence/ledger/ledger.ts";
export { AuthorizationCode } from "../../src/grants/authorization-code.ts";
export { RateWindow } from "../../src/http/rate-limit/rate-window.ts";

export default {
  async fetch(request, env, ctx) {
    const task = new URL(request.url).searchParams.get("task");
    if (task === null) return await app.fetch(request, env, ctx);
    const known = (await listRefreshes(env.DB)).find((refresh) => refresh.task === task);
    const refresh = known ?? { task, failures: 0, stepState: "{}" };
    return Response.json(
      await runStep(env, refresh, {
        now: clock.now(),
        maxWrites: MAX_WRITES_PER_STEP,
        maxListBytes: MAX_LIST_BYTES_PER_STEP,
      }),
    );
  },
} satisfies ExportedHandler<Env>;
