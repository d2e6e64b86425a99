/** The token in a path. */
import type { Context } from "hono";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";
import { readAccessToken } from "../grants/access-token.ts";
import { readTokenKeys } from "../grants/token-keys.ts";

/** Its id. Throws 404 without a read when the text is no token of this FI's. */
export function requireTokenId(c: Context<AppEnv>): string {
  const id = readAccessToken(readTokenKeys(c.env), c.var.fi.id, c.req.param("token") ?? "");
  if (id === null) throw new ApiError({ code: "token_not_found" });
  return id;
}
