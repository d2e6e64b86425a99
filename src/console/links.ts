/** Links to the service's own addresses. */
import type { Context } from "hono";
import type { AppEnv } from "../http/context.ts";
import { baseUrl } from "../http/errors/errors.ts";

/** A path such as /console/check as a link: with the path prefix of BASE_URL, if the service has one. */
export type Href = (path: string) => string;

export function linksOf(c: Context<AppEnv>): Href {
  const prefix = new URL(baseUrl(c.env.BASE_URL, c.req.url)).pathname.replace(/\/$/, "");
  return (path) => `${prefix}${path}`;
}
