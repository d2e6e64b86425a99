/** Names an answer, so that it can be found and proven later. Ids sort by time. */
import { createMiddleware } from "hono/factory";
import { makeRecordId } from "../../grants/record-order.ts";
import type { AppEnv } from "../context.ts";

export const evidenceId = createMiddleware<AppEnv>(async (c, next) => {
  const id = makeRecordId(c.get("now"));
  c.set("evidenceId", id);
  // before the handlers, as the request's id (request-log.ts)
  c.header("x-evidence-id", id);
  await next();
});
