/** POST /v1/oauth2/tokens, GET and DELETE /v1/oauth2/tokens/{token}. */

import type { Context } from "hono";
import { createFactory } from "hono/factory";
import * as z from "zod";
import { type Client, findScopeRefusal, findUsableScopes } from "../../grants/client.ts";
import { exchangeCode } from "../../grants/exchange.ts";
import { tokenSecondsOf } from "../../grants/token-lifetimes.ts";
import { findToken, revokeToken } from "../../grants/tokens.ts";
import type { AccessToken } from "../../http/answers/access-token.ts";
import type { AppEnv } from "../../http/context.ts";
import { ApiError } from "../../http/errors/errors.ts";
import { certificate } from "../../http/middleware/certificate.ts";
import { validate } from "../../http/middleware/validate.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { clock, toSeconds } from "../../platform/clock.ts";
import { lazySchema, optional } from "../../platform/schemas.ts";
import { SCOPES, type Scope } from "../../registers/entitlement.ts";
import { codeDenied, tellReplay } from "../code-denial.ts";
import { accountId, code, isNot, isNotObject, redirectUri } from "../parameters.ts";
import { requireTokenId } from "../path-token.ts";
import { describeTokens, TOKEN_TYPE } from "../token-record.ts";

/** The answer to every client_credentials request (interface, "Access token"). It gives no access and is not stored. */
const CLIENT_CREDENTIALS_TOKEN = "good-access-token";

const request = lazySchema(() =>
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

export const body = lazySchema(() =>
  z.object({ account_id: optional(accountId()), client_request_query_parameters: request() }).refine(
    // with client_credentials no other field is required
    (given) =>
      given.account_id !== undefined || given.client_request_query_parameters?.grant_type === "client_credentials",
    // also reported if there are other problems
    { path: ["account_id"], error: "is empty", when: ({ value }) => isObject(value) },
  ),
);

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

export const createToken = createFactory<AppEnv>().createHandlers(validate("json", body), certificate, async (c) => {
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
    return answerToken(c, CLIENT_CREDENTIALS_TOKEN, tokenSecondsOf(c.env, fi, granted), granted);
  }
  const attempt = {
    flow: "oauth2",
    fiId: fi.id,
    pspId: client.pspId,
    redirectUri: request.redirect_uri,
    // the schema requires it for this grant type; no account has the id ""
    accountId: account_id ?? "",
    scopes,
    now,
    database: fi.database,
  } as const;
  if (account_id !== undefined) c.set("concerns", { accountId: account_id });
  const exchange = await exchangeCode(c.env, c.executionCtx, request.code, attempt, clock, tellReplay);
  if (!exchange.ok) throw await codeDenied(c, exchange);
  const { accessToken, expiresAt, code } = exchange;
  c.set("concerns", { accountId: code.accountId, tokenId: exchange.tokenId, scopes: [code.scope] });
  return answerToken(c, accessToken, toSeconds(expiresAt) - toSeconds(now), code.scope);
});

/** The reasons why the client may use none of these scopes, without repetition. */
async function explainScopes(client: Client, scopes: readonly Scope[], now: number): Promise<string> {
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
