/** POST /v1/oauth2/tokens, GET and DELETE /v1/oauth2/tokens/{token}. */

import type { Context } from "hono";
import * as z from "zod";
import { type Client, findScopeRefusal, findUsableScopes } from "../../grants/client.ts";
import { tokenSecondsOf } from "../../grants/token-lifetimes.ts";
import { listTokens, parseCursor, writeCursor } from "../../grants/token-list.ts";
import { findToken, revokeToken } from "../../grants/tokens.ts";
import type { AppEnv } from "../../http/context.ts";
import { ApiError } from "../../http/errors/errors.ts";
import { certificate } from "../../http/middleware/certificate.ts";
import { validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { databaseOf } from "../../institutions/databases.ts";
import type { Instant } from "../../platform/instant.ts";
import { once } from "../../platform/memory.ts";
import { optional } from "../../platform/schemas.ts";
import { SCOPES, type Scope } from "../../registers/entitlement.ts";
import { exchange } from "../code-exchange.ts";
import { accountId, code, isNot, isNotObject, redirectUri } from "../parameters.ts";
import { describeTokens, requireTokenId, TOKEN_TYPE } from "../token-record.ts";
import type { AccessToken } from "./tokens.answer.ts";

/** The answer to every client_credentials request (interface, "Access token"). It gives no access and is not stored. */
const CLIENT_CREDENTIALS_TOKEN = "good-access-token";
/** For a developer who takes the literal for a token. */
export const CLIENT_CREDENTIALS_WARNING = `${CLIENT_CREDENTIALS_TOKEN} opens nothing: it is the answer to every client_credentials request`;

const request = once(() =>
  z.discriminatedUnion(
    "grant_type",
    [
      z.object({ grant_type: z.literal("authorization_code"), code: code(), redirect_uri: redirectUri() }),
      // the interface has no scope here: one of its words chooses, and anything else is ignored as an unknown member is
      z.object({ grant_type: z.literal("client_credentials"), scope: z.unknown().optional() }),
    ],
    {
      error: (issue) =>
        issue.code === "invalid_union"
          ? isNot(Reflect.get(Object(issue.input), "grant_type"), "authorization_code or client_credentials")
          : isNotObject(issue),
    },
  ),
);

export const body = once(() =>
  z.object({ account_id: optional(accountId()), client_request_query_parameters: request() }).refine(
    // with client_credentials no other field is required
    (given) =>
      given.account_id !== undefined || given.client_request_query_parameters?.grant_type === "client_credentials",
    // also reported if there are other problems
    { path: ["account_id"], error: "is empty", when: ({ value }) => isObject(value) },
  ),
);

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

export const createToken = steps(validate("json", body), certificate, async (c) => {
  const { account_id, client_request_query_parameters: request } = c.req.valid("json");
  const { client, fi, now } = c.var;
  const scopes = await findUsableScopes(client, now);
  if (request.grant_type === "client_credentials") {
    const chosen = SCOPES.find((word) => word === request.scope);
    const granted = chosen === undefined ? scopes[0] : scopes.find((usable) => usable === chosen);
    if (granted === undefined) {
      const title = await explainScopes(client, chosen === undefined ? SCOPES : [chosen], now);
      throw new ApiError({ code: "payment_service_invalid", title });
    }
    c.header("token-warning", CLIENT_CREDENTIALS_WARNING);
    return answerToken(c, CLIENT_CREDENTIALS_TOKEN, tokenSecondsOf(c.env, fi, granted), granted);
  }
  const { accessToken, expiresIn, scope } = await exchange(c, request.code, {
    flow: "oauth2",
    redirectUri: request.redirect_uri,
    // the schema requires it for this grant type; no account has the id ""
    accountId: account_id ?? "",
    scopes,
  });
  return answerToken(c, accessToken, expiresIn, scope);
});

/** The reasons why the client may use none of these scopes, without repetition. */
async function explainScopes(client: Client, scopes: readonly Scope[], now: Instant): Promise<string> {
  const refusals = await Promise.all(scopes.map((scope) => findScopeRefusal(client, scope, now)));
  return [...new Set(refusals)].join("; ");
}

function answerToken(c: Context<AppEnv>, accessToken: string, expiresIn: number, scope: Scope) {
  const answer: AccessToken = {
    data: { access_token: accessToken, expires_in: expiresIn, token_type: TOKEN_TYPE, scope },
  };
  return c.json(answer, 201);
}

export async function getToken(c: Context<AppEnv>): Promise<Response> {
  const token = await findToken(databaseOf(c.env, c.get("fi")), c.get("fi").id, requireTokenId(c));
  if (!token) throw new ApiError({ code: "token_not_found" });
  c.set("psp", token.pspId);
  const [data] = await describeTokens(c.env, [token], c.get("version"), c.get("now"));
  return c.json({ data });
}

export async function deleteToken(c: Context<AppEnv>): Promise<Response> {
  const tokenId = requireTokenId(c);
  // before: of a store that fails nobody knows whether the token has ended, so the record names it
  c.set("concerns", { tokenId, by: "bank" });
  const revoked = await revokeToken(databaseOf(c.env, c.get("fi")), c.get("fi").id, tokenId, c.get("now"));
  if (!revoked) throw new ApiError({ code: "token_not_found" });
  const { psp, scope } = revoked.token;
  c.set("psp", psp);
  c.set("concerns", { tokenId, by: "bank", scopes: [scope], ended: revoked });
  return c.body(null, 204);
}

/** Records per answer. */
const PAGE_SIZE = 1_000;

export const path = once(() => z.object({ account_id: accountId() }));
export const query = once(() => z.object({ cursor: z.string("is given twice").optional() }));

export const listAccountTokens = steps(validate("param", path), validate("query", query), async (c) => {
  const now = c.get("now");
  const account = { fiId: c.get("fi").id, accountId: c.req.valid("param").account_id };
  const given = c.req.valid("query").cursor;
  const cursor = given === undefined ? null : parseCursor(account, given);
  if (given !== undefined && cursor === null)
    throw new ApiError({ code: "cursor_invalid", title: "cursor is not from an earlier answer for this account" });
  const page = await listTokens(databaseOf(c.env, c.get("fi")), account, cursor, PAGE_SIZE, now);
  // relative to the request's URL (RFC 8288 section 3.1), so that it is correct behind any proxy
  if (page.next) c.header("Link", `<?cursor=${writeCursor(account, page.next)}>; rel="next"`);
  const data = await describeTokens(c.env, page.tokens, c.get("version"), now);
  return c.json({ data });
});
