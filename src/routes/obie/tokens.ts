/** POST /v1/obie/tokens and GET /v1/obie/tokens/{token}. */

import * as z from "zod";
import { findUsableScopes } from "../../grants/client.ts";
import { findToken } from "../../grants/tokens.ts";
import { ApiError } from "../../http/errors/errors.ts";
import { ccgToken } from "../../http/middleware/ccg-token.ts";
import { validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { toSeconds } from "../../platform/clock.ts";
import { once } from "../../platform/memory.ts";
import { exchange } from "../code-exchange.ts";
import { code, redirectUri } from "../parameters.ts";
import { findTokenState, requireTokenId, TOKEN_TYPE } from "../token-record.ts";
import type { OpenBankingAccessToken, TokenInformation } from "./tokens.answer.ts";

export const body = once(() => z.object({ auth_code: code(), redirect_uri: redirectUri() }));

export const createToken = steps(validate("json", body), ccgToken, async (c) => {
  const { auth_code, redirect_uri } = c.req.valid("json");
  const { accessToken, expiresIn, state } = await exchange(c, auth_code, {
    flow: "obie",
    redirectUri: redirect_uri,
    accountId: null,
    scopes: await findUsableScopes(c.get("client"), c.get("now")),
  });
  const data: OpenBankingAccessToken["data"] = {
    access_token: accessToken,
    expires_in: expiresIn,
    token_type: TOKEN_TYPE,
    ...(state !== null && { state }),
  };
  return c.json({ data }, 201);
});

export const getToken = steps(ccgToken, async (c) => {
  const { client, fi, now, version } = c.var;
  const token = await findToken(databaseOf(c.env, fi), fi.id, requireTokenId(c));
  if (token?.pspId !== client.pspId) throw new ApiError({ code: "token_not_found" });
  const { active, warning } = await findTokenState(c.env, token, version, now);
  const data: TokenInformation["data"] = {
    access_token: c.req.param("token") ?? "",
    expires_in: active ? toSeconds(token.expiresAt) - toSeconds(now) : 0,
    token_type: TOKEN_TYPE,
    active,
    ...(warning !== null && { warning }),
  };
  return c.json({ data });
});
