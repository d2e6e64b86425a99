/** Finds the row of the interface's table that a request is for; an unknown path is 404, a wrong method 405. */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../context.ts";
import { findEndpoints } from "../endpoints.ts";
import { ApiError } from "../errors.ts";

export const endpoint = createMiddleware<AppEnv>(async (c, next) => {
  const endpoints = findEndpoints(c.req.path);
  if (endpoints.length === 0) throw new ApiError({ code: "path_not_found" });
  const found = endpoints.find(({ method }) => method === c.req.method);
  if (!found) {
    const allow = endpoints.map(({ method }) => method).join(", ");
    throw new ApiError({ code: "method_not_allowed" }, { Allow: allow });
  }
  c.set("endpoint", found);
  await next();
});
