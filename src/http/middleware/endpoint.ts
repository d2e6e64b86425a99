/** Finds the endpoint of a request. An unknown path is 404, a wrong method 405, a malformed path parameter an error. */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../context.ts";
import { type Endpoint, findEndpoints } from "../endpoints.ts";
import { ApiError } from "../errors/errors.ts";
import { explainLostPath, isAccountPathWithoutDots, lacksAccountId } from "../lost-path.ts";

export const endpoint = createMiddleware<AppEnv>(async (c, next) => {
  const { method, path } = c.req;
  const endpoints = findEndpoints(path, c.env);
  if (endpoints.length === 0 || isAccountPathWithoutDots(method, path)) throw lostPath(path);
  const found = endpoints.find((endpoint) => endpoint.method === method || (endpoint.head && method === "HEAD"));
  if (!found) {
    const allow = endpoints.map((endpoint) => (endpoint.head ? "GET, HEAD" : endpoint.method)).join(", ");
    throw new ApiError({ code: "method_not_allowed", title: `This path supports only ${allow}` }, { Allow: allow });
  }
  const malformed = findMalformedParameter(found, c.req.url);
  if (malformed !== null)
    throw new ApiError({ code: "path_malformed", title: `${malformed} in the path is not percent-encoded UTF-8` });
  c.set("endpoint", found);
  await next();
});

/** Also used for paths outside /v1, which this middleware does not see. */
export const lostPath = (path: string): ApiError =>
  lacksAccountId(path)
    ? new ApiError({
        code: "account_id_missing",
        status: 404,
        title: "account_id is empty in the path /v1/oauth2/account/{account_id}/tokens",
      })
    : new ApiError({ code: "path_not_found", title: explainLostPath(path) });

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
