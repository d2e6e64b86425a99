/** Finds the endpoint of a request. An unknown path is 404, a wrong method 405, a malformed path parameter an error. */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../context.ts";
import type { Endpoint } from "../endpoint.ts";
import { findEndpoints } from "../endpoints.ts";
import { ApiError } from "../errors/errors.ts";

export const endpoint = createMiddleware<AppEnv>(async (c, next) => {
  const { method, path } = c.req;
  const endpoints = findEndpoints(path, c.env);
  if (endpoints.length === 0 || isAccountPathWithoutDots(method, path)) {
    const { lostPath } = await import("../errors/lost-path.ts");
    throw lostPath(path);
  }
  const asked = endpoints.find((endpoint) => endpoint.method === method || (endpoint.head && method === "HEAD"));
  if (!asked) {
    const allow = endpoints.map((endpoint) => (endpoint.head ? "GET, HEAD" : endpoint.method)).join(", ");
    throw new ApiError({ code: "method_not_allowed", title: `This path supports only ${allow}` }, { Allow: allow });
  }
  const malformed = findMalformedParameter(asked, c.req.url);
  if (malformed !== null)
    throw new ApiError({ code: "path_malformed", title: `${malformed} in the path is not percent-encoded UTF-8` });
  c.set("endpoint", asked);
  await next();
});

/**
 * The name of the first path parameter that cannot be percent-decoded; null if all can. Hono would keep such a value as
 * it is, so that %zz and %25zz would have the same meaning.
 */
function findMalformedParameter({ path }: Endpoint, url: string): string | null {
  if (!url.includes("%")) return null;
  // decoding does not change slashes, so these are the segments by which the endpoint was found
  const sent = new URL(url).pathname.split("/");
  const malformed = path.split("/").find((name, i) => name.startsWith("{") && !isDecodable(sent[i] ?? ""));
  return malformed?.slice(1, -1) ?? null;
}

function isDecodable(segment: string): boolean {
  try {
    return decodeURIComponent(segment) !== "";
  } catch {
    return false;
  }
}

/** Refuses a name that an endpoint of our own does not have: with a misspelled filter ignored, all would pass for one PSP. */
export const knownQuery = createMiddleware<AppEnv>(async (c, next) => {
  const { query } = c.get("endpoint");
  if (query && c.req.url.includes("?")) {
    // not Hono's, an object in which the name __proto__ is lost
    const unknown = [...new URL(c.req.url).searchParams.keys()].find((name) => !query.includes(name));
    if (unknown !== undefined) {
      const { explainUnknown } = await import("../errors/query-names.ts");
      throw new ApiError({ code: "parameter_unknown", title: explainUnknown(unknown, query) });
    }
  }
  await next();
});

/**
 * What remains of /v1/oauth2/account/{account_id}/tokens if the account_id is "." or "..". The URL parser of the caller
 * or of the platform removes such segments, percent-encoded or not (RFC 3986 section 5.2.4).
 */
const isAccountPathWithoutDots = (method: string, path: string): boolean =>
  method === "GET" && /^\/v1\/oauth2\/(?:account\/)?tokens$/.test(path);
