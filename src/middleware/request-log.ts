/**
 * Sets the request's id and its instant, and logs one JSON line per request: the route (never the path, which may contain a token), the
 * FI, the PSP and the outcome. The line never contains a credential, token, code or certificate.
 */
import { createMiddleware } from "hono/factory";
import { clock } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { makeRequestId } from "../secrets.ts";

export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  c.set("requestId", makeRequestId());
  c.set("now", clock.now());
  await next();
  c.header("x-request-id", c.var.requestId);
  const line = {
    request_id: c.var.requestId,
    method: c.req.method,
    route: c.var.endpoint?.path ?? null,
    status: c.res.status,
    ms: clock.now() - c.var.now,
    fi: c.var.fi?.fiReferenceId ?? null,
    psp: c.var.psp ?? null,
    outcome: c.var.outcome ?? "ok",
  };
  console.log(JSON.stringify(line));
});
