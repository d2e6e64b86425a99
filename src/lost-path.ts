/**
 * Hints for a path without an endpoint: a name of version 1.6, an extra slash, a missing parameter, capitals, /v1. The hints show
 * paths as in the interface, never as sent, because a path may contain a token.
 */
import { type Endpoint, findEndpoints } from "./endpoints.ts";

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

export const isAccountPathWithoutDots = (method: string, path: string): boolean =>
  method === "GET" && Object.hasOwn(WITHOUT_DOTS, path);

/** Whether the path is the account's path with an empty account_id. */
export const lacksAccountId = (path: string): boolean => path === ACCOUNT_PATH.replace("{account_id}", "");

/** A sentence that begins with "No such path". */
export function explainLostPath(path: string): string {
  const dots = Object.hasOwn(WITHOUT_DOTS, path) ? WITHOUT_DOTS[path] : undefined;
  if (dots !== undefined) return `No such path. ${dots}, which cannot be part of a path: ${ACCOUNT_PATH}`;
  const slashes = path.replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
  const renamed = slashes
    .split("/")
    .map((segment) => (Object.hasOwn(RENAMED, segment) ? RENAMED[segment] : segment))
    .join("/");
  const meant = describe(findEndpoints(renamed));
  const completed = path.endsWith("/") ? describe(findEndpoints(`${path}x`)) : null;
  const hints = [
    ...(meant === null ? [] : [`${explainChange(renamed !== slashes, slashes !== path)} it is ${meant}`]),
    ...(meant === null ? explainVersion(slashes) : []),
    ...(completed === null ? [] : [`with the ${/(\w+)\}$/.exec(completed)?.[1]} appended, it is ${completed}`]),
  ].join("; ");
  return hints === "" ? "No such path" : `No such path. ${hints[0]?.toUpperCase()}${hints.slice(1)}`;
}

/** A base address with /v1, or without, is a usual mistake. No path of the interface has a capital. */
function explainVersion(path: string): string[] {
  const meant = describe(findEndpoints(path.toLowerCase().replace(/^(\/v1)*/, "/v1")));
  return meant === null ? [] : [`in lower case, and with one /v1, it is ${meant}`];
}

function explainChange(isRenamed: boolean, hasSlash: boolean): string {
  if (!isRenamed) return "without the extra slash";
  return hasSlash ? "since version 1.7, and without the extra slash," : "since version 1.7";
}

/** For example "GET, DELETE /v1/oauth2/tokens/{token}"; null if there are no endpoints. All must have the same path. */
const describe = (endpoints: readonly Endpoint[]): string | null =>
  endpoints[0] ? `${endpoints.map(({ method }) => method).join(", ")} ${endpoints[0].path}` : null;
