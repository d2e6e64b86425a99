/** What is said of a path that is none: how it is spelt right, where it is near one. */
import type { Endpoint } from "../endpoint.ts";
import { findEndpoints } from "../endpoints.ts";
import { ApiError } from "./errors.ts";

/** By what remains of the account's path (http/middleware/endpoint.ts). */
const WITHOUT_DOTS: Readonly<Record<string, string>> = {
  "/v1/oauth2/account/tokens": 'account_id is missing, or is "."',
  "/v1/oauth2/tokens": 'GET is for one token, /v1/oauth2/tokens/{token}, or the account_id is ".."',
};

const ACCOUNT_PATH = "/v1/oauth2/account/{account_id}/tokens";

/** Also for paths outside /v1. */
export const lostPath = (path: string): ApiError =>
  lacksAccountId(path)
    ? new ApiError({
        code: "account_id_missing",
        status: 404,
        title: "account_id is empty in the path /v1/oauth2/account/{account_id}/tokens",
      })
    : new ApiError({ code: "path_not_found", title: explainLostPath(path) });

/** Whether the path is the account's path with an empty account_id. */
const lacksAccountId = (path: string): boolean => path === ACCOUNT_PATH.replace("{account_id}", "");

// hints show paths as in the interface, never as sent, because a path may contain a token

/** Interface, "Versioning": all nouns are plural since 1.7, and PSP replaces TPP. */
const RENAMED: Readonly<Record<string, string>> = {
  authorization_code: "authorization_codes",
  ccg_token: "ccg_tokens",
  token: "tokens",
  tpp: "psp",
};

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
