/** The headers that every endpoint asks for: `version`, and on POST a JSON `Content-Type`. */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";

/** `latest`, or the major version (interface, "Versioning"). */
const VERSIONS = ["latest", "1"];

export const version = createMiddleware<AppEnv>(async (c, next) => {
  const given = c.req.header("version");
  if (!given) throw new ApiError({ code: "version_missing", title: "Header version is missing: latest or 1" });
  if (!VERSIONS.includes(given)) throw new ApiError({ code: "version_invalid", title: "version is latest or 1" });
  await next();
});

export const contentType = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === "POST") {
    const given = c.req.header("Content-Type");
    if (!given) throw new ApiError({ code: "content_type_missing", title: "Header Content-Type is missing" });
    const [type = ""] = given.split(";");
    if (type.trim().toLowerCase() !== "application/json")
      throw new ApiError({ code: "content_type_invalid", title: "Content-Type is not application/json" });
  }
  await next();
});
