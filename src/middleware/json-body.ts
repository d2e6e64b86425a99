/** The body of a POST or PUT: at most 64 KiB, parsed once. All JSON readers must agree on its value (json-text.ts). */
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { clock } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";
import { parseJsonText } from "../json/json-text.ts";

const MAX_BODY_KIB = 64;

/** Counts bytes while reading, so that a body with a wrong or missing Content-Length is limited too. */
export const limitBody = bodyLimit({
  maxSize: MAX_BODY_KIB * 1024,
  onError: () => {
    throw new ApiError({
      code: "body_too_large",
      title: `The body is larger than ${MAX_BODY_KIB} KiB. Send at most ${MAX_BODY_KIB} KiB`,
    });
  },
});

export const jsonBody = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === "POST" || c.req.method === "PUT") {
    const bytes = await c.req.arrayBuffer().catch(() => {
      throw new ApiError({
        code: "body_malformed",
        title: "The body is incomplete: the connection was closed before its end",
      });
    });
    const body = parseJsonText(new Uint8Array(bytes));
    if (!body.ok) throw new ApiError({ code: "body_malformed", title: body.message });
    const { value } = body;
    // zod-validator calls this, and so uses the parsed value instead of parsing again
    c.req.json = async <Value>() => value as Value;
    // a body may be sent slowly: a code that expires meanwhile has expired
    c.set("now", clock.now());
  }
  await next();
});
