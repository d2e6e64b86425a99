/** The token in a path. */
import type { Context } from "hono";
import { readTokenKeys } from "../grants/token-keys.ts";
import { readAccessToken } from "../grants/token-texts.ts";
import type { AppEnv } from "../http/context.ts";
import { ApiError } from "../http/errors/errors.ts";

/** The token's id. Throws 404, without a read, if the text is not a token of this FI. */
export function requireTokenId(c: Context<AppEnv>): string {
  const id = readAccessToken(readTokenKeys(c.env), c.get("fi").id, c.req.param("token") ?? "");
  if (id === null) throw new ApiError({ code: "token_not_found" });
  return id;
}
