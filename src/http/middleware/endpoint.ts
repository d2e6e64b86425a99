/** Finds the endpoint of a request. An unknown path is 404, a wrong method 405, a malformed path parameter an error. */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../context.ts";
import type { Endpoint } from "../endpoint.ts";
import { findEndpoints } from "../endpoints.ts";
import { ApiError } from "../errors/errors.ts";

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

// hints show paths as in the interface, never as sent, because a path may contain a token

/** Interface, "Versioning": all nouns are plural since 1.7, and PSP replaces TPP. */
const RENAMED: Readonly<Record<string, string>> = {
  authorization_code: "authorization_codes",
  ccg_token: "ccg_tokens",
  token: "tokens",
  tpp: "psp",
};

/**
 * What remains of /v1/oauth2/account/{account_id}/tokens if the account_id is "." or "..". The URL parser of the caller
 * or of the platform removes such segments, percent-encoded or not (RFC 3986 section 5.2.4).
 */
const WITHOUT_DOTS: Readonly<Record<string, string>> = {
  "/v1/oauth2/account/tokens": 'account_id is missing, or is "."',
  "/v1/oauth2/tokens": 'GET is for one token, /v1/oauth2/tokens/{token}, or the account_id is ".."',
};
const ACCOUNT_PATH = "/v1/oauth2/account/{account_id}/tokens";

const isAccountPathWithoutDots = (method: string, path: string): boolean =>
  method === "GET" && Object.hasOwn(WITHOUT_DOTS, path);

/** Whether the path is the account's path with an empty account_id. */
const lacksAccountId = (path: string): boolean => path === ACCOUNT_PATH.replace("{account_id}", "");

interface Slip {
  /** How it is mended, in words. */
  readonly said: string;
  readonly mend: (path: string) => string;
}
type Slips = readonly Slip[];

/** A base address with /v1, or without; the version of another interface. */
const VERSION: Slip = {
  said: "with one /v1, the only version in a path",
  mend: (path) => path.replace(/^(\/v\d+(\.\d+)*(?=\/|$))*/, "/v1"),
};
/** In the order in which they are mended. */
const SLIPS: Slips = [
  {
    said: "without the extra slash",
    mend: (path) => path.replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, ""),
  },
  { said: "in lower case", mend: (path) => path.toLowerCase() },
  VERSION,
  {
    said: "since version 1.7",
    mend: (path) =>
      path.replaceAll(/(?<=\/)[^/]+/g, (name) => (Object.hasOwn(RENAMED, name) ? (RENAMED[name] ?? "") : name)),
  },
  {
    said: "with account in the singular",
    mend: (path) => path.replace(/^\/v1\/oauth2\/accounts(?=\/)/, "/v1/oauth2/account"),
  },
  { said: "with accounts in the plural", mend: (path) => path.replace(/^\/v1\/account(?=\/)/, "/v1/accounts") },
];
const endpointsBy = (path: string, slips: Slips): readonly Endpoint[] =>
  findEndpoints(slips.reduce((mended, { mend }) => mend(mended), path));

/**
 * The slips of a path that lead to an endpoint when they are mended, and not when one of them is left; null if none do, or
 * if there is an endpoint, which does not have what was asked for.
 */
function findSlips(path: string): Slips | null {
  if (findEndpoints(path).length > 0) return null;
  // /status and the pages have no version
  const all = [SLIPS, SLIPS.filter((slip) => slip !== VERSION)].find((slips) => endpointsBy(path, slips).length > 0);
  if (all === undefined) return null;
  return all.reduce((slips, slip) => {
    const others = slips.filter((other) => other !== slip);
    return endpointsBy(path, others).length > 0 ? others : slips;
  }, all);
}

/** A sentence that begins with "No such path". */
function explainLostPath(path: string): string {
  const dots = Object.hasOwn(WITHOUT_DOTS, path) ? WITHOUT_DOTS[path] : undefined;
  if (dots !== undefined) return `No such path. ${dots}, which cannot be part of a path: ${ACCOUNT_PATH}`;
  const slips = findSlips(path);
  const completed = path.endsWith("/") ? describe(findEndpoints(`${path}x`)) : null;
  const said = (slips ?? [])
    .map(({ said }) => said)
    .toReversed()
    .join(", and ");
  const hints = [
    ...(slips === null ? [] : [`${said}${said.includes(",") ? "," : ""} it is ${describe(endpointsBy(path, slips))}`]),
    ...(completed === null ? [] : [`with the ${/(\w+)\}$/.exec(completed)?.[1]} appended, it is ${completed}`]),
  ].join("; ");
  return hints === "" ? "No such path" : `No such path. ${hints[0]?.toUpperCase()}${hints.slice(1)}`;
}

/** For example "GET, DELETE /v1/oauth2/tokens/{token}"; null if there are no endpoints. All must have the same path. */
const describe = (endpoints: readonly Endpoint[]): string | null =>
  endpoints[0] ? `${endpoints.map(({ method }) => method).join(", ")} ${endpoints[0].path}` : null;
