/** Names an answer, so that it can be found and proven later. Ids sort by time. */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../context.ts";
import { makeRecordId } from "../grants/record-id.ts";

export const evidenceId = createMiddleware<AppEnv>(async (c, next) => {
  c.set("evidenceId", makeRecordId(c.var.now));
  await next();
  c.header("x-evidence-id", c.var.evidenceId);
});
